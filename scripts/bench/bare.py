"""A warm process that does parts of a judgement with nothing of the sandbox around them: what a warm judgement is
compared with, and where its time goes.

Started by `latency` with the zygote's environment; imports what the zygote imports and keeps its heap as it does. Its
first line of input is a job; each line after it names a method of `Bare`, which is done once and answered by "ok".
"""

from __future__ import annotations

import gc
import importlib
import os
import socket
import sys
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from exercises.testkit.collect import collect
from exercises.testkit.workbench import Workbench
from grader.checker.diagnosis import Known, diagnose
from grader.checker.job import Job
from grader.checker.recording import Recording
from grader.checker.reference import Reference
from grader.checker.remote import Budget, Init, RemoteLearner
from grader.checker.runner import Runner, attempt
from grader.report import Outcome
from grader.sandbox import pages
from grader.sandbox.learner import serve
from grader.sandbox.wire import Channel, Kind, forever
from grader.sandbox.zygote import OURS, WARM


def main() -> None:
    for name in (*WARM, *OURS):
        importlib.import_module(name)
    bare = Bare(Job.decode(sys.stdin.buffer.readline()))
    gc.collect()
    gc.freeze()
    pages.collapse_heap()
    _say_ok()
    for line in sys.stdin:
        getattr(bare, line.strip())()
        _say_ok()


def _say_ok() -> None:
    sys.stdout.buffer.write(b"ok\n")
    sys.stdout.flush()


class Bare:
    """Each method does one part of judging the job's source, once; raise `SystemExit` if it is not accepted."""

    def __init__(self, job: Job) -> None:
        self._job = job
        # What traps forbidden calls would trap those of the tests and the reference in the same process.
        self._open = replace(job, forbidden=[])
        self._reference = Reference(self._open)
        self._requests: list[bytes] = []
        self._wrong: Runner | None = None

    def tests(self) -> None:
        """The tests alone, in this process, values crossing encoded."""
        job, learner = self._open, _LocalLearner(self._open)
        for case in collect(job.tests):
            ended = attempt(job, case, Recording(learner, case.name), self._reference)
            _require(ended.outcome is Outcome.PASSED, ended.message)
        self._requests = learner.requests

    def answers(self) -> None:
        """Of `tests`, which must have been run, the learner's part: it answers the same, and nobody compares."""
        workbench = Workbench(self._job.reply_bytes)
        for request in self._requests:
            workbench.exchange(request)

    def runner(self) -> None:
        """As `tests`, with all that the checker notes of it."""
        _run(self._open, _NoInit(), _LocalLearner(self._open))

    def diagnosis(self) -> None:
        """Find out which mistake a wrong submission makes, which is the first of the exercise's."""
        if self._wrong is None:
            job = replace(self._open, source=first_mistake(self._job), exhibit=False)
            self._wrong = Runner(job, _NoInit(), lambda test, total: None, _LocalLearner(job))
            self._wrong.run()
        learner = _LocalLearner(self._open)
        named = diagnose(self._open, self._wrong.recordings, self._wrong.passed, learner, Known())
        _require([one.slug for one in named] == [next(iter(self._job.mistakes))], f"{named}")

    def forks(self) -> None:
        """Two processes that end at once."""
        for pid in [_fork(lambda: None) for _ in range(2)]:
            os.waitpid(pid, 0)

    def pair(self) -> None:
        """A checker and a learner, each a fork of this process."""
        ours, theirs = socket.socketpair()
        learner = _fork(lambda: _serve(self._job, ours, theirs))
        theirs.close()
        checker = _fork(lambda: _run(self._job, _BareInit(ours.detach(), learner)))
        ours.close()
        _, status = os.waitpid(checker, 0)
        os.waitpid(learner, 0)
        _require(status == 0)


def first_mistake(job: Job) -> str:
    """The source of the exercise's first known mistake, in its first spelling."""
    return next(iter(job.mistakes.values()))[0]


class _LocalLearner(RemoteLearner):
    """Answers in this very process."""

    def __init__(self, job: Job) -> None:
        super().__init__(_NoInit(), job, Budget(job.cpu_seconds, job.total_cpu_seconds))
        self._workbench = Workbench(job.reply_bytes)
        self.requests: list[bytes] = []

    def exchange(self, request: bytes) -> bytes:
        self.requests.append(request)
        return self._workbench.exchange(request)


class _NoInit(Init):
    """There is no output to attribute, and nothing to kill."""

    def __init__(self) -> None:
        pass

    def ask(self, do: str, **facts: str) -> dict[str, Any]:
        return {}


class _BareInit(_NoInit):
    """Hands over the one learner."""

    def __init__(self, channel: int, pid: int) -> None:
        self._learner = (channel, pid)

    def new_learner(self) -> tuple[int, int]:
        return self._learner


def _fork(do: Callable[[], object]) -> int:
    pid = os.fork()
    if pid == 0:
        try:
            do()
        except BaseException:  # noqa: BLE001 - a fork must never return into the loop
            os._exit(1)
        os._exit(0)
    return pid


def _serve(job: Job, ours: socket.socket, theirs: socket.socket) -> None:
    ours.close()
    channel = Channel(theirs.detach())
    channel.send(Kind.READY, b"", forever)
    serve(channel, Workbench(job.reply_bytes))


def _run(job: Job, init: Init, learner: RemoteLearner | None = None) -> None:
    findings = Runner(job, init, lambda test, total: None, learner).run()
    findings.encode()
    _require(bool(findings.tests) and all(test["outcome"] == Outcome.PASSED for test in findings.tests))


def _require(accepted: bool, why: str = "") -> None:
    if not accepted:
        raise SystemExit(f"the reference was not accepted: {why}")


if __name__ == "__main__":
    main()
