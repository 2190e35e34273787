"""Proof that an exercise's tests are good: they accept the reference, and nothing that is known to be wrong."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from exercises.package import Package
from grader.judge import judge
from grader.report import Report, Verdict
from grader.sandbox import Sandbox

FAST_SEEDS = (0,)
SEEDS = (0, 1, 2)


@dataclass(frozen=True, slots=True)
class ProofReport:
    """What was found. `mistakes` counts the known mistakes that were rejected and named as themselves, every time."""

    slug: str
    digest: str
    mistakes: int
    problems: tuple[str, ...]
    seeds: tuple[int, ...]

    @property
    def ok(self) -> bool:
        return not self.problems

    def to_json(self) -> dict[str, Any]:
        return {**asdict(self), "ok": self.ok}


def prove(package: Package, sandbox: Sandbox, *, seeds: tuple[int, ...] = SEEDS) -> ProofReport:
    """Judge the reference, the starter and every mistake under each seed, exactly as submissions are judged.

    Raises what `judge` raises: a platform fault proves nothing.
    """
    problems = [*_reference_problems(package, sandbox, seeds), *_starter_problems(package, sandbox, seeds)]
    caught = 0
    for mistake in package.mistakes:
        found = _mistake_problems(package, mistake.slug, mistake.source, sandbox, seeds)
        caught += not found
        problems += found
    return ProofReport(package.slug, package.digest, caught, tuple(problems), seeds)


def _reference_problems(package: Package, sandbox: Sandbox, seeds: tuple[int, ...]) -> list[str]:
    for report in _judged(package, package.reference, sandbox, seeds):
        if not report.accepted:
            return [f"The reference is not accepted: {_told(report)} Correct reference.py or the test."]
        if report.max_score == 0:
            return ["No test gives points. Mark tests with @points, or leave out @points(0)."]
    return []


def _starter_problems(package: Package, sandbox: Sandbox, seeds: tuple[int, ...]) -> list[str]:
    for report in _judged(package, package.starter, sandbox, seeds):
        if report.accepted:
            return ["The starter is accepted. Remove the solution from starter.py, or test more."]
        if report.verdict is Verdict.INVALID_SUBMISSION:
            return [f"The starter cannot be submitted as it is: {_told(report)} A learner must be able to run it."]
    return []


def _mistake_problems(package: Package, slug: str, source: str, sandbox: Sandbox, seeds: tuple[int, ...]) -> list[str]:
    for report in _judged(package, source, sandbox, seeds):
        if report.accepted:
            return [f"The mistake {slug} is accepted (seed {report.seed}). Add a test that catches it."]
        if report.verdict is Verdict.INVALID_SUBMISSION:
            return [f"The mistake {slug} cannot be submitted: {_told(report)} Make it run."]
        if report.mistake is None:
            return [f"The mistake {slug} is rejected but not named (seed {report.seed}). Make a test tell it apart."]
        if report.mistake.slug != slug:
            return [
                f"The mistake {slug} is named {report.mistake.slug} (seed {report.seed}). Make a test tell them apart."
            ]
    return []


def _judged(package: Package, source: str, sandbox: Sandbox, seeds: tuple[int, ...]) -> Iterator[Report]:
    return (judge(package, source, seed=seed, sandbox=sandbox) for seed in seeds)


def _told(report: Report) -> str:
    failed = [test for test in report.tests if test.outcome != "passed"]
    detail = f" {failed[0].name}: {failed[0].message}" if failed else ""
    return f"{report.message}{detail}"
