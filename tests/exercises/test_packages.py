"""The bank itself: right answers pass however they are written. That wrong ones fail, tests/programs shows."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from exercises.testkit.failures import Failure
from exercises.testkit.solution import Solution
from tests.exercises.local import SLUGS, each, package, problems, solutions


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
