"""Judging in the checker: one submission, or a series of programs that prove an exercise's tests."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np
import torch

from exercises.testkit import values
from exercises.testkit.collect import TestCase, collect
from exercises.testkit.solution import MalformedReply, ReplyTooLarge, Transport
from exercises.testkit.witness import witnessed
from grader.checker.agreement import same_recording
from grader.checker.diagnosis import Known, diagnose, might_be_named
from grader.checker.job import DIAGNOSIS_SECONDS, Findings, Job, Named
from grader.checker.leaks import Ledger
from grader.checker.loading import NotLoaded
from grader.checker.recording import Recording
from grader.checker.reference import Reference
from grader.checker.remote import Budget, Fault, Init, RemoteLearner, Stopped
from grader.checker.runner import Runner, attempt
from grader.checker.series import Agreement, Comparison, Leak, Series, SeriesFindings
from grader.checker.stopwatch import Overlong, Stopwatch

Progress = Callable[[dict[str, Any], int], None]
_Found = TypeVar("_Found")

_BUDGET_SECONDS = 300.0
_MOST_NUMBERS = 10_000


def judge_one(job: Job, init: Init, progress: Progress, tell: Callable[[Findings], None]) -> list[Named]:
    """Run the tests and `tell` what was found; then say which known mistakes a wrong answer makes.

    Submission, exhibits and mistakes run in processes of their own.
    """
    runner = Runner(job, init, progress)
    findings = runner.run()
    if job.exhibit and not findings.fault and not findings.invalid:
        with suppress(Exception):  # failing to show something changes no verdict
            runner.exhibit(findings)
    findings.diagnosing = _can_be_diagnosed(job, findings, runner)
    tell(findings)
    if not findings.diagnosing:
        return []
    return _unless_it_fails(
        Known(), lambda known: diagnose(job, runner.recordings, runner.passed, _new_learner(job, init), known), []
    )


def _can_be_diagnosed(job: Job, findings: Findings, runner: Runner) -> bool:
    judged = not findings.fault and not findings.invalid
    return bool(job.diagnose and job.mistakes and judged and any(one.usable for one in runner.recordings))


def _unless_it_fails(known: Known, do: Callable[[Known], _Found], otherwise: _Found) -> _Found:
    try:
        with Stopwatch(DIAGNOSIS_SECONDS).running():
            return do(known)
    except (Fault, Stopped, Overlong, Exception):  # noqa: BLE001 - failing to diagnose never changes a verdict
        known.clear()
        return otherwise


def run_series(series: Series, init: Init) -> SeriesFindings:
    """Do everything that is asked, one after the other, in one learner as long as it lives.

    Programs are kept apart as far as that goes: each is loaded once, and every state of ours is reset.
    """
    found, learner = SeriesFindings(), _new_learner(series.job, init)
    known = Known()
    for trial in series.trials:
        job = replace(
            series.job,
            source=trial.source,
            seed=trial.seed,
            diagnose=trial.diagnose,
            stop_early=trial.stop_early,
            exhibit=False,
        )
        findings = _try_one(job, init, learner, known)
        for test in findings.tests:
            test["details"] = {}
        found.trials.append(findings)
    learner.take(Budget(series.job.cpu_seconds, _BUDGET_SECONDS))
    found.comparisons = [_compare(series.job, comparison, learner) for comparison in series.comparisons]
    if series.show_samples:
        found.shown = _numbers_shown(series.job, learner)
    if series.leak_seeds:
        found.public = {case.name: case.public for case in collect(series.job.tests) if case.public}
        found.leaks = [leak for seed in series.leak_seeds for leak in _leaks(replace(series.job, seed=seed), learner)]
    return found


def _try_one(job: Job, init: Init, learner: RemoteLearner, known: Known) -> Findings:
    """One program of a series. One that is to stop early goes on where a mistake might be named: that takes all tests.

    `known` is what mistakes answered before.
    """
    runner = Runner(job, init, lambda test, total: None, learner)
    findings = runner.run()
    if not _can_be_diagnosed(job, findings, runner):
        return findings
    if not job.stop_early:
        findings.mistakes = _unless_it_fails(
            known, lambda known: diagnose(job, runner.recordings, runner.passed, learner, known), []
        )
    elif _unless_it_fails(known, lambda known: might_be_named(job, runner.recordings, learner, known), False):
        return _try_one(replace(job, stop_early=False), init, learner, known)
    return findings


def _new_learner(job: Job, init: Init) -> RemoteLearner:
    return RemoteLearner(init, job, Budget(job.cpu_seconds, _BUDGET_SECONDS))


def _compare(job: Job, comparison: Comparison, learner: RemoteLearner) -> list[Agreement]:
    recorded = list(_recorded(replace(job, source=comparison.source), comparison, learner))
    return [_agreement(job, other, recorded, comparison, learner) for other in comparison.others]


def _recorded(job: Job, comparison: Comparison, learner: RemoteLearner) -> Iterator[tuple[int, Recording]]:
    """Seed and record of every test, until there are calls enough. Without `rng` a test asks the same every time."""
    calls = 0
    for seed in comparison.seeds:
        seeded = replace(job, seed=seed)
        reference = Reference(seeded)
        learner.take(learner.budget)
        for case in collect(job.tests):
            if seed != comparison.seeds[0] and "rng" not in case.fixtures:
                continue
            recording = _record(seeded, case, learner, reference)
            if recording.complete:
                calls += len(recording.exchanges)
                yield seed, recording
        if calls >= comparison.enough:
            return


def _record(
    job: Job, case: TestCase, learner: RemoteLearner, reference: Reference, through: Transport | None = None
) -> Recording:
    """What the test asked and what the job's source answered, up to where it failed."""
    recording = Recording(learner, case.name, through)
    learner.budget.begin_test()
    try:
        attempt(job, case, recording, reference)
    except (Stopped, ReplyTooLarge, MalformedReply, NotLoaded):
        learner.stop()
    return recording


def _agreement(
    job: Job, other: str, recorded: list[tuple[int, Recording]], comparison: Comparison, learner: RemoteLearner
) -> Agreement:
    within, calls = (comparison.rtol, comparison.atol), 0
    for seed, recording in recorded:
        try:
            alike = same_recording(learner, replace(job, seed=seed), other, recording, within)
        except Stopped:
            alike = False
        if not alike:
            return Agreement(False, calls, recording.test)
        calls += len(recording.exchanges)
    return Agreement(True, calls)


def _numbers_shown(job: Job, learner: RemoteLearner) -> list[float]:
    """Every number that the sample tests give to the reference or get from it."""
    job = replace(job, source=job.reference)
    reference = Reference(job)
    learner.take(learner.budget)
    numbers: list[float] = []
    for case in collect(job.tests):
        for exchange in _record(job, case, learner, reference).exchanges if case.sample else ():
            numbers += _numbers(values.decode(exchange.request, cap=len(exchange.request)))
            numbers += _numbers(values.decode(exchange.reply, cap=len(exchange.reply)))
    return numbers[:_MOST_NUMBERS]


def _leaks(job: Job, learner: RemoteLearner) -> list[Leak]:
    """What the tests, one after the other, send to the reference before they compare with it."""
    job, ledger = replace(job, source=job.reference), Ledger(learner)
    reference = Reference(job)
    learner.take(learner.budget)
    for case in collect(job.tests):
        ledger.begin(case.name)
        with witnessed(ledger.witness):
            _record(job, case, learner, reference, ledger)
    return ledger.leaks()


def _numbers(value: Any) -> Iterator[float]:
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, (list, tuple)):
        for item in value:
            yield from _numbers(item)
    elif isinstance(value, (torch.Tensor, np.ndarray, np.generic, int, float)):
        array = value.detach().numpy() if isinstance(value, torch.Tensor) else np.asarray(value)
        if array.dtype.kind in "iufb":
            yield from map(float, array[np.isfinite(array)][:_MOST_NUMBERS])
