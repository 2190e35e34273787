"""Run an exercise's tests on a source in this process: what grading does, without the sandbox."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Callable
from dataclasses import asdict
from functools import lru_cache
from pathlib import Path
from typing import Any

from exercises.package import Package, by_slug, slugs
from exercises.testkit.collect import TestCase, collect, rng_for
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
    """By test name: what failed it, or None."""
    return {case.name: run(package(slug), case, source, seed) for case in cases(slug)}


def run(exercise: Package, case: TestCase, source: str, seed: int) -> Problem:
    spec = exercise.spec
    with warnings.catch_warnings(), tolerances(spec.rtol, spec.atol):
        warnings.simplefilter("ignore")
        try:
            case.function(**_fixtures(exercise, case, source, seed), **case.arguments)
        except (Failure, LearnerError, InvalidSource, MalformedReply) as problem:
            return problem
    return None


def _fixtures(exercise: Package, case: TestCase, source: str, seed: int) -> dict[str, Any]:
    entries = [asdict(entry) for entry in exercise.spec.entries]
    solution = Solution.local(source, seed=seed, entries=entries, support=exercise.support)
    # Only looked for: a trap would catch the tests, too, which run in this process.
    for name, line in find_forbidden(ast.parse(source), exercise.spec.forbidden):
        raise InvalidSource({"why": "forbidden", "name": name, "line": line})
    makers: dict[str, Callable[[], Any]] = {
        "solution": lambda: solution,
        "support": lambda: support_of(solution),
        "reference": lambda: Solution.local(exercise.reference, seed=seed, entries=entries, support=exercise.support),
        "rng": lambda: rng_for(seed, case.name),
        "assets": lambda: exercise.assets,
    }
    return {name: makers[name]() for name in case.fixtures}
