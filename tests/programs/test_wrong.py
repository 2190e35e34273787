"""Every wrong program of the bank is rejected, under several seeds. They are many, so only CI runs them all."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.exercises.local import SLUGS, each, fails, package

SEEDS = range(5)


@each("wrong")
def test_a_wrong_program_fails(slug: str, path: Path) -> None:
    accepted = [seed for seed in SEEDS if not fails(slug, path.read_text(), seed=seed)]
    assert accepted == []


def each_mistake() -> pytest.MarkDecorator:
    found = [(slug, *one) for slug in SLUGS for mistake in package(slug).mistakes for one in mistake.spellings.items()]
    ids = [f"{slug}-{name}" for slug, name, _ in found]
    return pytest.mark.parametrize("slug, source", [(slug, source) for slug, _, source in found], ids=ids)


@each_mistake()
def test_a_mistake_fails_also_in_the_hidden_tests(slug: str, source: str) -> None:
    assert fails(slug, source, but="example")
