"""Runs one exercise's tests against one submission and says how each ended."""

from __future__ import annotations

import time
import traceback
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from exercises.testkit.collect import CollectError, TestCase, collect, rng_for
from exercises.testkit.compare import tolerances
from exercises.testkit.exhibits import HIDDEN, stage
from exercises.testkit.failures import Failure
from exercises.testkit.solution import LearnerError, MalformedReply, ReplyTooLarge, Solution, support_of
from exercises.testkit.witness import witnessed
from exercises.visible import clean
from grader import strict, wording
from grader.checker.job import EXHIBIT_SECONDS, Findings, Job
from grader.checker.loading import NotLoaded, begin_test
from grader.checker.recording import MAX_TESTS, Recording
from grader.checker.reference import Reference, ReferenceFailed
from grader.checker.remote import (
    Budget,
    Fault,
    Init,
    RemoteLearner,
    Stopped,
    Unconfined,
    learner_failure,
    refused_reply,
)
from grader.checker.stopwatch import Overlong, Stopwatch
from grader.report import Outcome

MOST_OVERRUNS = 2
"""Code that ran into its time limit in so many tests in a row, and has answered no call, is not run again."""
_MESSAGE_CAP = 4_000
_NAME_CAP = 500


@dataclass(slots=True)
class Ended:
    """How one test ended."""

    outcome: Outcome
    message: str = ""
    details: dict[str, Any] = field(default_factory=dict)


class Runner:
    """One submission. `progress` is told of every finished test as it ends, as (test, how many in all).

    `learner` is a process to go on with; without it, the submission gets one of its own.
    """

    def __init__(
        self,
        job: Job,
        init: Init,
        progress: Callable[[dict[str, Any], int], None],
        learner: RemoteLearner | None = None,
    ) -> None:
        self._job, self._init, self._progress = job, init, progress
        self._budget = Budget(job.cpu_seconds, job.total_cpu_seconds)
        self._learner = learner or RemoteLearner(init, job, self._budget)
        self._learner.take(self._budget)
        self._reference = Reference(job)
        self._comparing = Stopwatch(job.comparing_seconds)
        self._loaded = False
        self._answered = False
        self._overran = 0
        self.recordings: list[Recording] = []
        """Of failed tests."""
        self.passed: list[TestCase] = []
        self._exhibiting: list[tuple[int, TestCase]] = []

    def run(self) -> Findings:
        """Run every test; what is ours or the author's fault ends up in `fault`."""
        findings = Findings()
        started = time.monotonic()
        try:
            cases = [case for case in collect(self._job.tests) if case.sample or not self._job.sample_only]
            self._run_all(cases, findings)
        except CollectError as error:
            findings.fault = f"The exercise's tests cannot be used: {error}"
        except Fault as error:
            findings.fault, findings.unconfined = str(error), isinstance(error, Unconfined)
        findings.seconds = time.monotonic() - started
        return findings

    def exhibit(self, findings: Findings) -> None:
        """Run the sample tests that exhibit something once more, for that alone, and add it to their details.

        Asked only when everything else is found: in a process and with a budget of its own, it can change no verdict.
        """
        learner = RemoteLearner(self._init, self._job, Budget(self._job.cpu_seconds, EXHIBIT_SECONDS))
        drawing = Stopwatch(EXHIBIT_SECONDS)
        for place, case in self._exhibiting:
            learner.budget.begin_test()
            with stage(is_open=True) as standing:
                try:
                    with drawing.running():
                        attempt(self._job, case, Recording(learner, case.name), self._reference)
                except (Stopped, ReplyTooLarge, MalformedReply, NotLoaded, Fault, Overlong):
                    learner.stop()
            details = findings.tests[place]["details"]
            details |= strict.plain({"exhibits": standing.shown, "exhibit_problems": standing.problems})

    def _run_all(self, cases: list[TestCase], findings: Findings) -> None:
        for index, case in enumerate(cases):
            self._learner.place = str(index)
            try:
                ended = self._run_one(case)
            except NotLoaded as error:
                ended = self._not_loaded(error, findings)
            if self._comparing.left <= 0 and ended.outcome is not Outcome.NOT_RUN:
                ended = self._too_long_to_compare(cases[: index + 1])
            if self._learner.mark():
                ended = self._printed_too_much()
            self._finish(findings, case, ended, len(cases))
            if self._job.stop_early and ended.outcome is not Outcome.PASSED:
                return
            if findings.invalid:
                for rest in cases[index + 1 :]:
                    self._finish(findings, rest, Ended(Outcome.NOT_RUN, wording.NOT_LOADED), len(cases))
                return

    def _not_loaded(self, error: NotLoaded, findings: Findings) -> Ended:
        """A file that fails when it is first loaded has seen no test, and is not judged: that costs no attempt."""
        if not self._loaded:
            findings.invalid = str(error)
            return Ended(Outcome.INVALID_SUBMISSION, findings.invalid, dict(error.details))
        if error.outcome is Outcome.INVALID_SUBMISSION:
            # What was read once is read again: only a forged reply says otherwise, to get its attempt back.
            return Ended(Outcome.RUNTIME_ERROR, wording.PROTOCOL)
        return Ended(error.outcome, str(error), dict(error.details))

    def _finish(self, findings: Findings, case: TestCase, ended: Ended, total: int) -> None:
        test = {
            "name": clean(case.name, _NAME_CAP),
            "title": clean(case.title, _NAME_CAP),
            "sample": case.sample,
            "points": case.points,
            "outcome": ended.outcome.value,
            "message": clean(ended.message, _MESSAGE_CAP),
            "seconds": 0.0 if ended.outcome is Outcome.NOT_RUN else round(self._budget.test_used, 6),
            "details": strict.plain(ended.details),
        }
        findings.tests.append(test)
        self._progress(test, total)

    def _run_one(self, case: TestCase) -> Ended:
        self._budget.begin_test()
        if self._budget.spent or self._comparing.left <= 0:
            return Ended(Outcome.NOT_RUN, wording.NOT_RUN)
        if self._learner.loads.spent and not self._learner.program:
            return Ended(Outcome.NOT_RUN, wording.NO_MORE_LOADS)
        if self._overran >= MOST_OVERRUNS and not self._answered:
            return Ended(Outcome.NOT_RUN, wording.NEVER_ANSWERED)
        recording = Recording(self._learner, case.name)
        with stage(is_open=False) as standing, witnessed(recording.witness):
            try:
                with self._comparing.running():
                    ended = attempt(self._job, case, recording, self._reference)
            except Stopped as stopped:
                ended = Ended(stopped.outcome, stopped.message)
            except Overlong:
                ended = Ended(Outcome.OUTPUT_LIMIT)  # or the author's fault: who looks at the stopwatch says which
            except (ReplyTooLarge, MalformedReply) as error:
                self._learner.stop()
                ended = Ended(*refused_reply(error, self._job))
            finally:
                self._loaded |= recording.begun
                self._answered |= recording.answered
        self._overran = self._overran + 1 if ended.outcome is Outcome.TIME_LIMIT else 0
        if standing.reached and case.sample:
            self._exhibiting.append((int(self._learner.place), case))
        elif standing.reached:
            ended.details["exhibit_problems"] = [HIDDEN]
        if ended.outcome is Outcome.PASSED:
            self.passed.append(case)
        elif recording.usable and len(self.recordings) < MAX_TESTS:
            self.recordings.append(recording)
        return ended

    def _too_long_to_compare(self, cases: list[TestCase]) -> Ended:
        """Either these tests compute much themselves, or what the learner answered costs much: the reference tells."""
        self._learner.stop()
        watch = Stopwatch(self._job.comparing_seconds / 2)
        with suppress(Overlong), watch.running():
            for case in cases:
                _reference_passes(self._job, case)
        if watch.left <= 0:
            raise Fault("this machine is too slow for what the exercise's tests compute themselves")
        return Ended(Outcome.OUTPUT_LIMIT, wording.TOO_LONG_TO_COMPARE)

    def _printed_too_much(self) -> Ended:
        self._learner.stop()
        return Ended(Outcome.OUTPUT_LIMIT, wording.OUTPUT_LIMIT.format(kilobytes=self._job.output_kb))


def attempt(job: Job, case: TestCase, recording: Recording, reference: Reference) -> Ended:
    """Run one test on the job's source; raise `NotLoaded`, `Fault`, or what stopped the learner."""
    if job.unusable:
        raise NotLoaded(Outcome.INVALID_SUBMISSION, job.unusable)
    solution = Solution(recording, reply_cap=job.reply_bytes)
    try:
        begin_test(recording.learner, solution, job, job.source, case.name)
        recording.begin()
        _perform(job, case, solution, reference)
    except Failure as failure:
        return Ended(Outcome.WRONG_ANSWER, failure.message, {**failure.details, "headline": failure.headline})
    except LearnerError as error:
        outcome, message = learner_failure(error, job)
        details = {"exception": error.type_name, "traceback": error.traceback_text, "line": error.line}
        return Ended(outcome, message, details)
    except NotLoaded:
        raise
    except ReferenceFailed as error:
        traceback.clear_frames(error.__traceback__)  # what the learner answered may be what fills this process
        if not (recording.answered and _reference_passes(job, case)):
            raise
        if error.exception == "MemoryError":
            return Ended(Outcome.OUTPUT_LIMIT, wording.TOO_LARGE_TO_COMPARE)
        return _unusable(error.exception)
    except AssertionError as error:
        headline = Failure.of("expectation", sentence="").headline
        return Ended(Outcome.WRONG_ANSWER, str(error) or headline, {"headline": headline})
    except MemoryError:
        if not recording.answered:
            raise Fault(f"{case.name} takes more memory than a checker may have") from None
        return Ended(Outcome.OUTPUT_LIMIT, wording.TOO_LARGE_TO_COMPARE)
    except Exception as error:
        # The reference passes every published test, so what fails after the learner has answered is their answer.
        if not recording.answered:
            raise Fault(f"{case.name} raised {type(error).__name__}: {error}") from error
        return _unusable(type(error).__name__)
    return Ended(Outcome.PASSED)


def _unusable(exception: str) -> Ended:
    return Ended(Outcome.WRONG_ANSWER, message := wording.UNUSABLE.format(exception=exception), {"headline": message})


def _perform(job: Job, case: TestCase, solution: Solution, reference: Reference) -> None:
    makers: dict[str, Callable[[], Any]] = {
        "solution": lambda: solution,
        "reference": lambda: reference.at(case.name),
        "support": lambda: support_of(solution),
        "rng": lambda: rng_for(job.seed, case.name),
        "assets": job.asset_bytes,
    }
    with tolerances(job.rtol, job.atol), np.errstate(all="ignore"):
        case.function(**{name: makers[name]() for name in case.fixtures}, **case.arguments)


def _reference_passes(job: Job, case: TestCase) -> bool:
    """Whether the reference in the learner's place passes this very test, drawn numbers and all.

    If so, what made the reference fail beside the learner came from the learner. If not, the fault is the author's.
    """
    try:
        _perform(job, case, Reference(job).at(case.name), Reference(job))
    except (Exception, Fault):  # noqa: BLE001 - whatever it is, it is not the learner's
        return False
    return True
