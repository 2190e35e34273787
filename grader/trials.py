"""Trying many programs on one exercise in one go, in the sandbox: how tests are proven, not how people are graded."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from exercises.package import Package
from grader.checker.job import Findings
from grader.checker.series import Agreement, Comparison, Leak, Series, SeriesFindings, Trial
from grader.judge import make_job, make_order, make_report, worst_wall_seconds
from grader.report import Report, Seconds
from grader.sandbox import PlatformFault, Sandbox

__all__ = [
    "Agreement",
    "Broken",
    "Comparison",
    "Leak",
    "Trial",
    "agreements",
    "answers_sent_along",
    "numbers_in_samples",
    "try_all",
]

_AT_ONCE = 120
_NO_SECONDS = Seconds(0.0, 0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Broken:
    """The exercise's own code failed on this program, so nothing can be said of the program."""

    why: str


def try_all(package: Package, trials: Sequence[Trial], sandbox: Sandbox) -> list[Report | Broken]:
    """Judge every trial, as a submission is judged but for prints and details. Raises what `judge` raises."""
    found: list[Report | Broken] = []
    for first in range(0, len(trials), _AT_ONCE):
        part = list(trials[first : first + _AT_ONCE])
        findings = _run(package, sandbox, len(part), trials=part).trials
        found += [_told(package, trial, one, sandbox) for trial, one in zip(part, findings, strict=True)]
    return found


def agreements(package: Package, comparison: Comparison, sandbox: Sandbox) -> list[Agreement]:
    """Whether each of the comparison's others answers what tests ask as its source does."""
    return _run(package, sandbox, 1 + len(comparison.others), comparisons=[comparison]).comparisons[0]


def numbers_in_samples(package: Package, sandbox: Sandbox) -> list[float]:
    """What the sample tests give to the reference and get from it."""
    return _run(package, sandbox, 1, show_samples=True).shown


def answers_sent_along(package: Package, seeds: Sequence[int], sandbox: Sandbox) -> tuple[list[Leak], dict[str, str]]:
    """What tests compare with though they had sent it to the learner before; and the reasons of those that may."""
    found = _run(package, sandbox, len(seeds), leak_seeds=seeds)
    return found.leaks, found.public


def _run(
    package: Package,
    sandbox: Sandbox,
    programs: int,
    *,
    trials: Sequence[Trial] = (),
    comparisons: Sequence[Comparison] = (),
    show_samples: bool = False,
    leak_seeds: Sequence[int] = (),
) -> SeriesFindings:
    series = Series(make_job(package, "", 0), list(trials), list(comparisons), show_samples, list(leak_seeds))
    order = make_order(package)
    order = replace(
        order,
        output_bytes=order.output_bytes * programs,
        cpu_seconds=order.cpu_seconds * programs,
        wall_seconds=worst_wall_seconds(package) * programs,
    )
    result = sandbox.run(series.encode(), order)
    try:
        return SeriesFindings.decode(result.report)
    except (ValueError, TypeError, KeyError) as error:
        raise PlatformFault(f"The checker's report cannot be read ({error}).") from None


def _told(package: Package, trial: Trial, findings: Findings, sandbox: Sandbox) -> Report | Broken:
    try:
        return make_report(package, findings, trial.seed, sandbox, seconds=_NO_SECONDS)
    except PlatformFault as fault:
        return Broken(str(fault))
