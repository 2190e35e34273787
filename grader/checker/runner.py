"""Runs one exercise's tests against one submission and says how each ended."""

from __future__ import annotations

import time
import traceback
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from exercises.families import is_inside
from exercises.testkit.collect import CollectError, TestCase, collect, rng_for
from exercises.testkit.compare import tolerances
from exercises.testkit.exhibits import HIDDEN, stage
from exercises.testkit.failures import Failure
from exercises.testkit.solution import (
    InvalidSource,
    LearnerError,
    MalformedReply,
    ReplyTooLarge,
    Solution,
    support_of,
)
from exercises.visible import clean
from grader import strict, wording
from grader.checker.job import EXHIBIT_SECONDS, Findings, Job
from grader.checker.recording import MAX_TESTS, Recording
from grader.checker.reference import Reference, ReferenceFailed
from grader.checker.remote import Budget, Fault, Init, RemoteLearner, Stopped, learner_failure, refused_reply
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


class Invalid(Exception):
    """The submission cannot be used; the message is for the learner."""


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
        self._learner.budget = self._budget
        self._reference = Reference(job)
        self._comparing = Stopwatch(job.comparing_seconds)
        self._loaded = False
        self._answered = False
        self._overran = 0
        self.recordings: list[Recording] = []
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
            findings.fault = str(error)
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
            recording = Recording(learner, case.name)
            solution = Solution(recording, reply_cap=self._job.reply_bytes)
            with stage(is_open=True) as standing:
                try:
                    with drawing.running():
                        attempt(self._job, case, solution, recording, self._reference)
                except (Stopped, ReplyTooLarge, MalformedReply, Invalid, Fault, Overlong):
                    learner.stop()
            details = findings.tests[place]["details"]
            details |= strict.plain({"exhibits": standing.shown, "exhibit_problems": standing.problems})

    def _run_all(self, cases: list[TestCase], findings: Findings) -> None:
        for index, case in enumerate(cases):
            try:
                ended = self._run_one(index, case)
            except Invalid as error:
                if index == 0:
                    findings.invalid = str(error)
                    ended = Ended(Outcome.INVALID_SUBMISSION, findings.invalid)
                else:
                    # What loaded once loads again: only a forged reply says otherwise, after having seen hidden tests,
                    # to get its attempt back. What never loaded was stopped by a limit before it could say so.
                    ended = Ended(Outcome.RUNTIME_ERROR, wording.PROTOCOL if self._loaded else str(error))
            if self._comparing.left <= 0 and ended.outcome is not Outcome.NOT_RUN:
                ended = self._too_long_to_compare(cases[: index + 1])
            # By number: a later learner is a fork of init, and a name may say what a hidden test tests.
            # The learner may have answered before init had read all that it printed: only now does init know.
            marked = self._init.ask("mark", test=str(index))
            self._learner.credit(float(marked.get("delay", 0.0)))
            if marked.get("exceeded"):
                ended, findings.invalid = self._printed_too_much(), ""
            self._finish(findings, case, ended, len(cases))
            if self._job.stop_early and ended.outcome is not Outcome.PASSED:
                return
            if findings.invalid:
                for rest in cases[index + 1 :]:
                    self._finish(findings, rest, Ended(Outcome.NOT_RUN, wording.NOT_LOADED), len(cases))
                return

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

    def _run_one(self, place: int, case: TestCase) -> Ended:
        self._budget.begin_test()
        if self._budget.spent or self._comparing.left <= 0:
            return Ended(Outcome.NOT_RUN, wording.NOT_RUN)
        if self._overran >= MOST_OVERRUNS and not self._answered:
            return Ended(Outcome.NOT_RUN, wording.NEVER_ANSWERED)
        recording = Recording(self._learner, case.name)
        solution = Solution(recording, reply_cap=self._job.reply_bytes)
        with stage(is_open=False) as standing:
            try:
                with self._comparing.running():
                    ended = attempt(self._job, case, solution, recording, self._reference)
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
            self._exhibiting.append((place, case))
        elif standing.reached:
            ended.details["exhibit_problems"] = [HIDDEN]
        if ended.outcome is not Outcome.PASSED and recording.usable and len(self.recordings) < MAX_TESTS:
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


def attempt(job: Job, case: TestCase, solution: Solution, recording: Recording, reference: Reference) -> Ended:
    """Run one test on the job's source; raise `Invalid`, `Fault`, or what stopped the learner."""
    if job.unusable:
        raise Invalid(job.unusable)
    try:
        load(solution, job, job.source, case.name)
        recording.begin()
        _perform(job, case, solution, reference)
    except Failure as failure:
        return Ended(Outcome.WRONG_ANSWER, failure.message, {**failure.details, "headline": failure.headline})
    except LearnerError as error:
        outcome, message = learner_failure(error, job)
        details = {"exception": error.type_name, "traceback": error.traceback_text, "line": error.line}
        return Ended(outcome, message, details)
    except Invalid:
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
        "reference": lambda: reference.afresh(case.name),
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
        _perform(job, case, Reference(job).afresh(case.name), Reference(job))
    except (Exception, Fault):  # noqa: BLE001 - whatever it is, it is not the learner's
        return False
    return True


def load(solution: Solution, job: Job, source: str, test: str) -> None:
    """Import `source` afresh for one test, its random state keyed by (seed, test); raise `Invalid`."""
    seed = int(rng_for(job.seed, test).integers(1 << 62))
    try:
        solution.load_source(source, seed=seed, entries=job.entries, forbidden=job.forbidden, support=job.support)
    except InvalidSource as error:
        raise Invalid(_invalid_sentence(error)) from None


def _invalid_sentence(error: InvalidSource) -> str:
    facts = {key: clean(str(value), 300) for key, value in error.facts.items()}
    if error.why == "syntax":
        message = facts.get("message", "")
        end = "" if message.endswith((".", "?", "!")) else "."
        return wording.SYNTAX.format(line=facts.get("line", "?"), message=f"{message}{end}")
    if error.why == "forbidden":
        sentence = wording.INSIDES if is_inside(facts.get("name", "")) else wording.FORBIDDEN
        return sentence.format(line=facts.get("line", "?"), name=facts.get("name", ""))
    if error.why == "missing":
        sentence = wording.MISSING_CLASS if facts.get("kind") == "class" else wording.MISSING_FUNCTION
        return sentence.format(name=facts.get("name", ""), signature=facts.get("signature", ""))
    return wording.TOO_DEEP
