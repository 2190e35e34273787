"""How far right answers and known mistakes are from the tolerances. Usage: python -m scripts.margins [SLUG...]

Runs every right answer (the reference, and tests/exercises/right/<slug>/) and every known mistake under many seeds, in
this process and without the sandbox. An error is told in tolerances: |actual − expected| / (atol + rtol · |expected|).
A right answer must stay below 0.1 everywhere; a mistake must under every seed reach 10 somewhere, or fail in another
way: by its shape, its kind, an exception, what is not finite. With --enough, a mistake is asked only up to the first
test that shows so much: its errors are then not its largest.
"""

from __future__ import annotations

import argparse
import math
import os
import sys
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import torch

from exercises.package import Package, by_slug, slugs
from exercises.testkit.collect import LOADING, TestCase, collect, rng_for, seed_for
from exercises.testkit.compare import comparing
from exercises.testkit.failures import Failure
from exercises.testkit.kinds import Array
from exercises.testkit.solution import LearnerError, MalformedReply, Solution, support_of
from exercises.testkit.tolerance import Tolerance

RIGHT = Path(__file__).resolve().parent.parent / "tests" / "exercises" / "right"
SEEDS = 200
MOST_OF_RIGHT = 0.1
LEAST_OF_MISTAKE = 10.0


@dataclass(frozen=True, slots=True)
class Measuring(Tolerance):
    """A tolerance that notes the largest error of every comparison."""

    errors: list[float] = field(default_factory=list)

    def right(self, actual: Array, expected: Array) -> tuple[Array, Array]:
        right, error = Tolerance.right(self, actual, expected)
        with np.errstate(all="ignore"):
            told = np.where(error == 0, 0.0, error / (self.atol + self.rtol * np.abs(expected)))
        told = np.where(np.isfinite(told), told, np.where(right, 0.0, np.inf))
        self.errors.append(float(np.max(told, initial=0.0)))
        return right, error

    def matches(self, actual: Array, expected: Array) -> bool:
        # A guess at what went wrong is no comparison of the test.
        return Tolerance(self.rtol, self.atol).matches(actual, expected)


@dataclass(frozen=True, slots=True)
class Margin:
    """Of one program: its largest error under each seed, the least and the largest of these.

    `otherwise` is how it fails where no number is compared, "" if never. `least` is of the other seeds, and infinite if
    there are none.
    """

    slug: str
    name: str
    mistake: bool
    least: float
    largest: float
    otherwise: str

    @property
    def problem(self) -> str:
        if not self.mistake and self.otherwise:
            return f"is rejected ({self.otherwise})"
        if not self.mistake and not self.largest < MOST_OF_RIGHT:
            return f"comes to {self.largest:.2g} of the tolerance; below {MOST_OF_RIGHT} is asked for"
        if self.mistake and not self.least > LEAST_OF_MISTAKE:
            return f"is off by {self.least:.2g} tolerances only; above {LEAST_OF_MISTAKE:g} is asked for"
        return ""


def programs(package: Package) -> Iterator[tuple[str, str, bool]]:
    """Name, source, and whether it is a mistake."""
    yield "reference", package.reference, False
    for path in sorted((RIGHT / package.slug).glob("*.py")):
        yield path.stem, path.read_text("utf-8"), False
    for mistake in package.mistakes:
        yield from ((name, source, True) for name, source in mistake.spellings.items())


def measure(slug: str, name: str, source: str, mistake: bool, seeds: int, enough: bool = False) -> Margin:
    """Run the tests under every seed; those that draw nothing from `rng` ask the same each time, and run once."""
    torch.set_num_threads(1)
    with open(os.devnull, "w") as nowhere, redirect_stdout(nowhere), redirect_stderr(nowhere):
        return _measured(by_slug(slug), name, source, mistake, seeds, enough and mistake)


def _measured(package: Package, name: str, source: str, mistake: bool, seeds: int, enough: bool) -> Margin:
    cases = collect(package.tests)
    drawing = [case for case in cases if "rng" in case.fixtures]
    fixed = _errors(package, [case for case in cases if "rng" not in case.fixtures], source, 0, enough)
    if enough and _shows(fixed):
        drawing = []
    drawn = [_errors(package, drawing, source, seed, enough) for seed in range(seeds)]
    worst = [max((error for error, _ in (*fixed, *found)), default=0.0) for found in drawn]
    ways = [{way for _, way in (*fixed, *found) if way} for found in drawn]
    by_numbers = [error for error, otherwise in zip(worst, ways, strict=True) if not otherwise]
    otherwise = ", ".join(sorted(set.union(*ways)))
    return Margin(package.slug, name, mistake, min(by_numbers, default=math.inf), max(worst), otherwise)


def _errors(package: Package, cases: list[TestCase], source: str, seed: int, enough: bool) -> list[tuple[float, str]]:
    found: list[tuple[float, str]] = []
    try:
        solution, reference = (_loaded(package, text, seed) for text in (source, package.reference))
    except LearnerError as error:
        return [(0.0, error.type_name)]
    for case in cases:
        for one in (solution, reference):
            one.begin(seed_for(seed, case.name))
        found.append(_error(package, case, solution, reference, seed))
        if enough and _shows(found):
            break
    return found


def _shows(found: list[tuple[float, str]]) -> bool:
    return any(error > LEAST_OF_MISTAKE or way for error, way in found)


def _loaded(package: Package, source: str, seed: int) -> Solution:
    entries = [asdict(entry) for entry in package.spec.entries]
    return Solution.local(source, seed=seed_for(seed, LOADING), entries=entries, support=package.support)


def _error(package: Package, case: TestCase, solution: Solution, reference: Solution, seed: int) -> tuple[float, str]:
    """The largest error of a comparison, and how the test failed if not by numbers."""
    tolerance = Measuring(package.spec.rtol, package.spec.atol)
    try:
        with warnings.catch_warnings(), comparing(tolerance), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            case.function(**_fixtures(package, case, solution, reference, seed), **case.arguments)
    except Failure as failure:
        way = "" if failure.kind in ("values", "value") and tolerance.errors else failure.kind
        return max(tolerance.errors, default=0.0), way
    except LearnerError as error:
        return max(tolerance.errors, default=0.0), error.type_name
    except (AssertionError, MalformedReply, ArithmeticError, LookupError, TypeError, ValueError, RuntimeError) as error:
        # A test that computes with what a mistake returned.
        return max(tolerance.errors, default=0.0), type(error).__name__
    return max(tolerance.errors, default=0.0), ""


def _fixtures(package: Package, case: TestCase, solution: Solution, reference: Solution, seed: int) -> dict[str, Any]:
    made: dict[str, Callable[[], Any]] = {
        "solution": lambda: solution,
        "reference": lambda: reference,
        "support": lambda: support_of(solution),
        "rng": lambda: rng_for(seed, case.name),
        "assets": lambda: package.assets,
    }
    return {name: made[name]() for name in case.fixtures}


def line(margin: Margin) -> str:
    kind = "mistake" if margin.mistake else "right"
    remark = margin.problem or (f"fails otherwise, too: {margin.otherwise}" if margin.otherwise else "")
    return f"{margin.slug:<30}{kind:<9}{margin.name:<36}{margin.least:>10.2g}{margin.largest:>10.2g}  {remark}".rstrip()


def main() -> int:
    parser = argparse.ArgumentParser(description="Errors of right answers and of mistakes, in tolerances.")
    parser.add_argument("slugs", nargs="*", metavar="SLUG", help="default: every packaged exercise")
    parser.add_argument("--seeds", type=int, default=SEEDS)
    parser.add_argument("--enough", action="store_true", help="ask a mistake no more than shows it: many times faster")
    options = parser.parse_args()
    wanted = [(slug, *program) for slug in options.slugs or slugs() for program in programs(by_slug(slug))]
    problems = 0
    print(f"{'exercise':<30}{'':<9}{'program':<36}{'least':>10}{'largest':>10}  error in tolerances, by seed")
    with ProcessPoolExecutor(os.cpu_count()) as executor:
        for margin in executor.map(
            measure, *zip(*((*one, options.seeds, options.enough) for one in wanted), strict=True)
        ):
            print(line(margin), flush=True)
            problems += bool(margin.problem)
    print(f"{problems} of {len(wanted)} programs are too near to their tolerance.")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
