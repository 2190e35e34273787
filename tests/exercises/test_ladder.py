from __future__ import annotations

from dataclasses import replace

import pytest

from exercises.ladder import in_learning_order
from exercises.package import Package, PackageError, by_slug, slugs
from tests.grader.small import make_package


def named(slug: str, *after: str) -> Package:
    package = make_package()
    return replace(package, spec=replace(package.spec, slug=slug, after=after))


def order(*packages: Package) -> list[str]:
    return [package.slug for package in in_learning_order(packages)]


def test_what_is_needed_comes_first_else_the_slug_decides() -> None:
    assert order(named("c"), named("a", "b"), named("b", "c"), named("d")) == ["c", "d", "b", "a"]


def test_prerequisites_that_are_not_asked_for_do_not_count() -> None:
    assert order(named("a", "z")) == ["a"]


def test_a_circle_is_told() -> None:
    with pytest.raises(PackageError, match="come after each other: .*a.*b"):
        order(named("a", "b"), named("b", "a"))


def test_the_bank_can_be_learnt_in_order() -> None:
    assert sorted(order(*map(by_slug, slugs()))) == slugs()
