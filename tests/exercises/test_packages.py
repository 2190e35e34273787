"""The bank itself: right answers pass however they are written, wrong ones fail, and the statement tells the truth."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from exercises.testkit.failures import Failure
from exercises.testkit.solution import Solution
from tests.exercises.local import SLUGS, cases, package, problems, run, solutions


def each(folder: str) -> pytest.MarkDecorator:
    files = [(slug, path) for slug in SLUGS for path in solutions(folder, slug)]
    return pytest.mark.parametrize("slug, path", files, ids=[f"{slug}-{path.stem}" for slug, path in files])


def each_mistake() -> pytest.MarkDecorator:
    found = [(slug, *one) for slug in SLUGS for mistake in package(slug).mistakes for one in mistake.spellings.items()]
    ids = [f"{slug}-{name}" for slug, name, _ in found]
    return pytest.mark.parametrize("slug, source", [(slug, source) for slug, _, source in found], ids=ids)


def failed(slug: str, source: str, seed: int = 0) -> dict[str, object]:
    return {name: problem for name, problem in problems(slug, source, seed=seed).items() if problem is not None}


@pytest.mark.parametrize("slug", SLUGS)
def test_every_package_has_right_solutions_written_in_many_ways_and_many_mistakes(slug: str) -> None:
    assert len(solutions("right", slug)) >= 6
    assert len(package(slug).mistakes) >= 5


@pytest.mark.parametrize("slug", SLUGS)
@pytest.mark.parametrize("seed", [0, 1, 2**62])
def test_reference_passes(slug: str, seed: int) -> None:
    assert failed(slug, package(slug).reference, seed) == {}


@pytest.mark.parametrize("slug", SLUGS)
def test_starter_fails_with_a_wrong_answer_not_an_error(slug: str) -> None:
    found = failed(slug, package(slug).starter)
    assert found
    assert all(isinstance(problem, Failure) for problem in found.values())


@each("right")
def test_right_solution_passes(slug: str, path: Path) -> None:
    assert failed(slug, path.read_text()) == {}


@each("wrong")
def test_wrong_solution_fails(slug: str, path: Path) -> None:
    assert failed(slug, path.read_text())


@each_mistake()
def test_mistake_fails_also_in_the_hidden_tests(slug: str, source: str) -> None:
    hidden = (case for case in cases(slug) if "example" not in case.name)
    assert any(run(package(slug), case, source, seed=0) is not None for case in hidden)


@pytest.mark.parametrize("size", [(60, 59), (999, 6), (70, 301), (6_000, 2)])
def test_tolerance_of_positional_encoding_is_ten_times_what_float32_needs(size: tuple[int, int]) -> None:
    exact = Solution.local(package("positional-encoding").reference)
    expected = exact.positional_encoding(*size)
    worst = max(
        float(np.abs(Solution.local(path.read_text()).positional_encoding(*size) - expected).max())
        for path in solutions("right", "positional-encoding")
        if "float32" in path.stem or "torch" in path.stem
    )
    assert 0 < worst < package("positional-encoding").spec.atol / 10
