"""Run an exercise's tests on a source in this process: what grading does, without the sandbox."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Callable, Iterator
from dataclasses import asdict
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest

from exercises.package import Package, by_slug, slugs
from exercises.testkit.collect import LOADING, TestCase, collect, rng_for, seed_for
from exercises.testkit.compare import tolerances
from exercises.testkit.failures import Failure
from exercises.testkit.forbidden import find_forbidden
from exercises.testkit.solution import InvalidSource, LearnerError, MalformedReply, Solution, support_of

HERE = Path(__file__).parent
SLUGS = tuple(slugs())

Problem = Failure | LearnerError | InvalidSource | MalformedReply | None


@lru_cache
def package(slug: str) -> Package:
    return by_slug(slug)


@lru_cache
def cases(slug: str) -> tuple[TestCase, ...]:
    return tuple(collect(package(slug).tests))


def solutions(folder: str, slug: str) -> list[Path]:
    """The files of tests/exercises/<folder>/<slug>, in order."""
    return sorted((HERE / folder / slug).glob("*.py"))


def problems(slug: str, source: str, *, seed: int = 0) -> dict[str, Problem]:
    """By test name: what failed it, or None. The source is loaded once."""
    return dict(_each(slug, source, seed))


def fails(slug: str, source: str, *, seed: int = 0, but: str = "") -> bool:
    """Whether any test fails, `but` those with this in their names; none is run after the first that does."""
    return any(problem is not None for _, problem in _each(slug, source, seed, but))


def each(folder: str) -> pytest.MarkDecorator:
    """Parametrize with all programs in tests/exercises/<folder>, as (slug, path)."""
    files = [(slug, path) for slug in SLUGS for path in solutions(folder, slug)]
    return pytest.mark.parametrize("slug, path", files, ids=[f"{slug}-{path.stem}" for slug, path in files])


def _each(slug: str, source: str, seed: int, but: str = "") -> Iterator[tuple[str, Problem]]:
    exercise = package(slug)
    asked = [case for case in cases(slug) if not but or but not in case.name]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            solution = _loaded(exercise, source, seed)
        except (LearnerError, InvalidSource) as problem:
            yield from ((case.name, problem) for case in asked)
            return
        reference = _loaded(exercise, exercise.reference, seed)
        for case in asked:
            yield case.name, _run(exercise, case, solution, reference, seed)


def run(exercise: Package, case: TestCase, source: str, seed: int) -> Problem:
    """One test alone."""
    solution, reference = (_loaded(exercise, text, seed) for text in (source, exercise.reference))
    return _run(exercise, case, solution, reference, seed)


def _loaded(exercise: Package, source: str, seed: int) -> Solution:
    # Only looked for: a trap would catch the tests, too, which run in this process.
    for name, line in find_forbidden(ast.parse(source), exercise.spec.forbidden):
        raise InvalidSource({"why": "forbidden", "name": name, "line": line})
    entries = [asdict(entry) for entry in exercise.spec.entries]
    return Solution.local(source, seed=seed_for(seed, LOADING), entries=entries, support=exercise.support)


def _run(exercise: Package, case: TestCase, solution: Solution, reference: Solution, seed: int) -> Problem:
    spec = exercise.spec
    with warnings.catch_warnings(), tolerances(spec.rtol, spec.atol):
        warnings.simplefilter("ignore")
        try:
            case.function(**_fixtures(exercise, case, solution, reference, seed), **case.arguments)
        except (Failure, LearnerError, InvalidSource, MalformedReply) as problem:
            return problem
    return None


def _fixtures(exercise: Package, case: TestCase, solution: Solution, reference: Solution, seed: int) -> dict[str, Any]:
    def at_the_beginning(one: Solution) -> Solution:
        one.begin(seed_for(seed, case.name))
        return one

    makers: dict[str, Callable[[], Any]] = {
        "solution": lambda: at_the_beginning(solution),
        "support": lambda: support_of(solution),
        "reference": lambda: at_the_beginning(reference),
        "rng": lambda: rng_for(seed, case.name),
        "assets": lambda: exercise.assets,
    }
    return {name: makers[name]() for name in case.fixtures}
