"""Judging in the checker: one submission, or a series of programs that prove an exercise's tests."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np
import torch

from exercises.testkit import values
from exercises.testkit.collect import TestCase, collect
from exercises.testkit.solution import MalformedReply, ReplyTooLarge, Solution, Transport
from exercises.testkit.witness import witnessed
from grader.checker.diagnosis import Known, diagnose, matching_mistakes, same_recording
from grader.checker.job import DIAGNOSIS_SECONDS, Findings, Job
from grader.checker.leaks import Ledger
from grader.checker.recording import Recording
from grader.checker.reference import Reference
from grader.checker.remote import Budget, Fault, Init, RemoteLearner, Stopped
from grader.checker.runner import Invalid, Runner, attempt
from grader.checker.series import Agreement, Comparison, Leak, Series, SeriesFindings
from grader.checker.stopwatch import Overlong, Stopwatch
from grader.report import Outcome

Progress = Callable[[dict[str, Any], int], None]

_BUDGET_SECONDS = 300.0
_MOST_NUMBERS = 10_000


def judge_one(
    job: Job, init: Init, progress: Progress, learner: RemoteLearner | None = None, known: Known | None = None
) -> Findings:
    """Run the tests, say which known mistake a wrong answer makes, and show what the tests exhibit.

    A job that stops early goes on after all where a mistake might be named: only all failed tests together name it.
    Without `learner`, submission and mistakes run in processes of their own. `known`: what mistakes answered before.
    """
    known = {} if known is None else known
    runner = Runner(job, init, progress, learner)
    findings = runner.run()
    wrong = any(test["outcome"] in (Outcome.WRONG_ANSWER, Outcome.RUNTIME_ERROR) for test in findings.tests)
    if job.diagnose and wrong and not findings.fault and not findings.invalid:
        other = learner or _new_learner(job, init)
        again = False
        try:
            with Stopwatch(DIAGNOSIS_SECONDS).running():
                if not job.stop_early:
                    findings.mistake = diagnose(job, runner.recordings, other, known)
                else:
                    again = bool(matching_mistakes(job, runner.recordings, other, known))
        except (Fault, Stopped, Overlong, Exception):  # noqa: BLE001 - failing to diagnose never changes a verdict
            findings.mistake = ""
            known.clear()
        if again:
            return judge_one(replace(job, stop_early=False), init, progress, learner, known)
    if job.exhibit and not findings.fault and not findings.invalid:
        with suppress(Exception):  # nor does failing to show something
            runner.exhibit(findings)
    return findings


def run_series(series: Series, init: Init) -> SeriesFindings:
    """Do everything that is asked, one after the other, in one learner as long as it lives.

    Programs are kept apart as the tests of one submission are: each is imported afresh, and every state is reset.
    """
    found, learner = SeriesFindings(), _new_learner(series.job, init)
    known: Known = {}
    for trial in series.trials:
        job = replace(
            series.job,
            source=trial.source,
            seed=trial.seed,
            diagnose=trial.diagnose,
            stop_early=trial.stop_early,
            exhibit=False,
        )
        findings = judge_one(job, init, lambda test, total: None, learner, known)
        for test in findings.tests:
            test["details"] = {}
        found.trials.append(findings)
    learner.budget = Budget(series.job.cpu_seconds, _BUDGET_SECONDS)
    found.comparisons = [_compare(series.job, comparison, learner) for comparison in series.comparisons]
    if series.show_samples:
        found.shown = _numbers_shown(series.job, learner)
    if series.leak_seeds:
        found.public = {case.name: case.public for case in collect(series.job.tests) if case.public}
        found.leaks = [leak for seed in series.leak_seeds for leak in _leaks(replace(series.job, seed=seed), learner)]
    return found


def _new_learner(job: Job, init: Init) -> RemoteLearner:
    return RemoteLearner(init, job, Budget(job.cpu_seconds, _BUDGET_SECONDS))


def _compare(job: Job, comparison: Comparison, learner: RemoteLearner) -> list[Agreement]:
    recorded = list(_recorded(replace(job, source=comparison.source), comparison, learner))
    return [_agreement(job, other, recorded, comparison, learner) for other in comparison.others]


def _recorded(job: Job, comparison: Comparison, learner: RemoteLearner) -> Iterator[tuple[int, Recording]]:
    """Seed and record of every test, until there are calls enough. Without `rng` a test asks the same every time."""
    calls = 0
    for seed in comparison.seeds:
        for case in collect(job.tests):
            if seed != comparison.seeds[0] and "rng" not in case.fixtures:
                continue
            recording = _record(replace(job, seed=seed), case, learner)
            if recording.complete:
                calls += len(recording.exchanges)
                yield seed, recording
        if calls >= comparison.enough:
            return


def _record(job: Job, case: TestCase, learner: RemoteLearner, through: Transport | None = None) -> Recording:
    """What the test asked and what the job's source answered, up to where it failed."""
    recording = Recording(through or learner, case.name)
    learner.budget.begin_test()
    try:
        attempt(job, case, Solution(recording, reply_cap=job.reply_bytes), recording, Reference(job))
    except (Stopped, ReplyTooLarge, MalformedReply, Invalid):
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
    numbers: list[float] = []
    for case in collect(job.tests):
        for exchange in _record(job, case, learner).exchanges if case.sample else ():
            numbers += _numbers(values.decode(exchange.request, cap=len(exchange.request)))
            numbers += _numbers(values.decode(exchange.reply, cap=len(exchange.reply)))
    return numbers[:_MOST_NUMBERS]


def _leaks(job: Job, learner: RemoteLearner) -> list[Leak]:
    """What the tests, one after the other, send to the reference before they compare with it."""
    job, ledger = replace(job, source=job.reference), Ledger(learner)
    for case in collect(job.tests):
        ledger.begin(case.name)
        with witnessed(ledger.witness):
            _record(job, case, learner, ledger)
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
