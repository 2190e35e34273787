"""Runs one exercise's tests against one submission and says how each ended."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from exercises.testkit.collect import CollectError, TestCase, collect, rng_for
from exercises.testkit.compare import tolerances
from exercises.testkit.failures import Failure
from exercises.testkit.solution import InvalidSource, LearnerError, MalformedReply, ReplyTooLarge, Solution
from exercises.testkit.traces import clean
from grader import wording
from grader.checker.job import Findings, Job
from grader.checker.recording import Recording
from grader.checker.reference import reference_solution
from grader.checker.remote import Budget, Fault, Init, RemoteLearner, Stopped, learner_failure, refused_reply
from grader.report import Outcome

_MESSAGE_CAP = 4_000


@dataclass(slots=True)
class _Ended:
    """How one test ended."""

    outcome: Outcome
    message: str = ""
    details: dict[str, Any] = field(default_factory=dict)


class Invalid(Exception):
    """The submission cannot be used; the message is for the learner."""


class Runner:
    """One submission. `progress` is told of every finished test as it ends, as (test, how many in all)."""

    def __init__(self, job: Job, init: Init, progress: Callable[[dict[str, Any], int], None]) -> None:
        self._job, self._init, self._progress = job, init, progress
        self._budget = Budget(job.cpu_seconds, job.total_cpu_seconds)
        self._learner = RemoteLearner(init, job, self._budget)
        self.recordings: list[Recording] = []

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

    def _run_all(self, cases: list[TestCase], findings: Findings) -> None:
        for index, case in enumerate(cases):
            try:
                ended = self._run_one(case)
            except Invalid as error:
                if index == 0:
                    findings.invalid = str(error)
                    ended = _Ended(Outcome.INVALID_SUBMISSION, findings.invalid)
                else:
                    # What loaded once loads again: only a forged reply says otherwise, after having seen hidden tests,
                    # to get its attempt back.
                    ended = _Ended(Outcome.RUNTIME_ERROR, wording.PROTOCOL)
            # By number: a later learner is a fork of init, and a name may say what a hidden test tests.
            # The learner may have answered before init had read all that it printed: only now does init know.
            if self._init.ask("mark", test=str(index)).get("exceeded"):
                ended, findings.invalid = self._printed_too_much(), ""
            self._finish(findings, case, ended, len(cases))
            if findings.invalid:
                for rest in cases[index + 1 :]:
                    self._finish(findings, rest, _Ended(Outcome.NOT_RUN, wording.NOT_LOADED), len(cases))
                return

    def _finish(self, findings: Findings, case: TestCase, ended: _Ended, total: int) -> None:
        test = {
            "name": case.name,
            "title": case.title,
            "sample": case.sample,
            "points": case.points,
            "outcome": ended.outcome.value,
            "message": clean(ended.message, _MESSAGE_CAP),
            "seconds": round(self._budget.test_used, 6),
            "details": _storable(ended.details),
        }
        findings.tests.append(test)
        self._progress(test, total)

    def _run_one(self, case: TestCase) -> _Ended:
        self._learner.begin_test()
        if self._budget.spent:
            return _Ended(Outcome.NOT_RUN, wording.NOT_RUN)
        recording = Recording(self._learner, case.name)
        solution = Solution(recording, reply_cap=self._job.reply_bytes)
        try:
            ended = self._attempt(case, solution, recording)
        except Stopped as stopped:
            ended = _Ended(stopped.outcome, stopped.message)
        except (ReplyTooLarge, MalformedReply) as error:
            self._learner.stop()
            ended = _Ended(*refused_reply(error, self._job))
        if ended.outcome is not Outcome.PASSED:
            self.recordings.append(recording)
        return ended

    def _printed_too_much(self) -> _Ended:
        self._learner.stop()
        return _Ended(Outcome.OUTPUT_LIMIT, wording.OUTPUT_LIMIT.format(kilobytes=self._job.output_kb))

    def _attempt(self, case: TestCase, solution: Solution, recording: Recording) -> _Ended:
        try:
            load(solution, self._job, self._job.source, case.name)
            recording.begin()
            with tolerances(self._job.rtol, self._job.atol), np.errstate(all="ignore"):
                case.function(**self._fixtures(case, solution), **case.arguments)
        except Failure as failure:
            return _Ended(Outcome.WRONG_ANSWER, failure.message, {**failure.details, "headline": failure.headline})
        except LearnerError as error:
            outcome, message = learner_failure(error, self._job)
            details = {"exception": error.type_name, "traceback": error.traceback_text, "line": error.line}
            return _Ended(outcome, message, details)
        except Invalid:
            raise
        except AssertionError as error:
            return _Ended(Outcome.WRONG_ANSWER, str(error) or Failure.of("expectation", sentence="").headline)
        except Exception as error:
            # The reference passes every published test, so what fails after the learner has answered is their answer.
            if not recording.answered:
                raise Fault(f"{case.name} raised {type(error).__name__}: {error}") from error
            return _Ended(Outcome.WRONG_ANSWER, wording.UNUSABLE.format(exception=type(error).__name__))
        return _Ended(Outcome.PASSED)

    def _fixtures(self, case: TestCase, solution: Solution) -> dict[str, Any]:
        makers: dict[str, Callable[[], Any]] = {
            "solution": lambda: solution,
            "reference": lambda: reference_solution(self._job, case.name),
            "rng": lambda: rng_for(self._job.seed, case.name),
            "assets": self._job.asset_bytes,
        }
        return {name: makers[name]() for name in case.fixtures}


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
        return wording.SYNTAX.format(line=facts.get("line", "?"), message=facts.get("message", ""))
    if error.why == "forbidden":
        return wording.FORBIDDEN.format(line=facts.get("line", "?"), name=facts.get("name", ""))
    if error.why == "missing":
        sentence = wording.MISSING_CLASS if facts.get("kind") == "class" else wording.MISSING_FUNCTION
        return sentence.format(name=facts.get("name", ""), signature=facts.get("signature", ""))
    return wording.TOO_DEEP


def _storable(details: dict[str, Any]) -> dict[str, Any]:
    """The details with every text in a form that any database and page can hold."""
    text = json.dumps(details, ensure_ascii=False).encode("utf-8", "replace").decode()
    storable: dict[str, Any] = json.loads(text.replace("\\u0000", "\N{REPLACEMENT CHARACTER}"))
    return storable
