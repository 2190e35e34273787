"""A pytest plugin for authors: the fixtures that grading gives to tests, in one process.

    pytest exercises/packages/<slug>/tests.py                     on the reference
    pytest exercises/packages/<slug>/tests.py --solution FILE     on any other file

Every value is still encoded and decoded on its way, so what could not cross in grading does not cross here.
"""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterator
from dataclasses import asdict
from functools import lru_cache
from pathlib import Path

import numpy as np
import pytest

from exercises.manifest import FILENAME
from exercises.package import Package, read_folder
from exercises.testkit.collect import LOADING, rng_for, seed_for
from exercises.testkit.compare import tolerances
from exercises.testkit.exhibits import HIDDEN, stage
from exercises.testkit.forbidden import find_forbidden
from exercises.testkit.marks import SAMPLE
from exercises.testkit.solution import Instance, Solution, support_of


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("exercises")
    group.addoption("--solution", type=Path, help="the file to test; the exercise's reference without it")
    group.addoption("--seed", type=int, default=0, help="seed of `rng` and of the learner's random generators")


def pytest_itemcollected(item: pytest.Item) -> None:
    """Let a solution warn: grading does not count warnings, so neither does a run under `filterwarnings = error`."""
    if (item.path.parent / FILENAME).exists():
        item.add_marker(pytest.mark.filterwarnings("default"))


@pytest.fixture
def solution(request: pytest.FixtureRequest) -> Solution:
    """The file under test, imported once for all tests."""
    chosen: Path | None = request.config.getoption("--solution")
    if chosen and not chosen.is_file():
        raise pytest.UsageError(f"There is no file {chosen}. Give the path of a solution after --solution.")
    return _at(_learner(request.path.parent, chosen, _seed(request, LOADING)), request)


@pytest.fixture
def reference(request: pytest.FixtureRequest) -> Solution:
    """The exercise's reference, with the interface of `solution`."""
    return _at(_reference(request.path.parent, _seed(request, LOADING)), request)


@pytest.fixture
def support(solution: Solution) -> Instance:
    """The module support.py beside the file under test."""
    return support_of(solution)


@pytest.fixture
def rng(request: pytest.FixtureRequest) -> np.random.Generator:
    """The random generator of this test, as grading makes it for this seed."""
    return rng_for(request.config.getoption("--seed"), request.node.name)


@pytest.fixture
def assets(request: pytest.FixtureRequest) -> dict[str, bytes]:
    """The files below assets/ by path."""
    return _package(request.path.parent).assets


@pytest.fixture(autouse=True)
def tolerance(request: pytest.FixtureRequest) -> Iterator[None]:
    """The exercise's default tolerances."""
    spec = _package(request.path.parent).spec
    with tolerances(spec.rtol, spec.atol):
        yield


@pytest.fixture(autouse=True)
def exhibits(request: pytest.FixtureRequest) -> Iterator[None]:
    """Have exhibits made, and warn of what cannot be shown: it is no reason to fail."""
    with stage(is_open=True) as standing:
        yield
    hidden = [HIDDEN] if standing.reached and not hasattr(request.function, SAMPLE) else []
    for problem in standing.problems + hidden:
        warnings.warn(problem, stacklevel=1)


@lru_cache(maxsize=8)
def _learner(folder: Path, chosen: Path | None, seed: int) -> Solution:
    package = _package(folder)
    source = chosen.read_text("utf-8") if chosen else package.reference
    # Only looked for in the source, not trapped: tests share this process, and may use it as their oracle.
    for name, line in find_forbidden(ast.parse(source), package.spec.forbidden):
        pytest.fail(f"Line {line} uses {name}, which this exercise asks the learner to write.", pytrace=False)
    return _loaded(package, source, seed)


@lru_cache(maxsize=8)
def _reference(folder: Path, seed: int) -> Solution:
    package = _package(folder)
    return _loaded(package, package.reference, seed)


def _loaded(package: Package, source: str, seed: int) -> Solution:
    entries = [asdict(entry) for entry in package.spec.entries]
    return Solution.local(source, seed=seed, entries=entries, support=package.support)


def _at(solution: Solution, request: pytest.FixtureRequest) -> Solution:
    solution.begin(_seed(request, request.node.name))
    return solution


def _seed(request: pytest.FixtureRequest, what: str) -> int:
    return seed_for(request.config.getoption("--seed"), what)


@lru_cache(maxsize=8)
def _package(folder: Path) -> Package:
    return read_folder(folder)
