"""The floor under a warm judgement: the same tests between two bare forks, with nothing of the sandbox around them.

Started by `latency` with the zygote's environment; imports what the zygote imports and keeps its heap as it does,
so that the sandbox alone makes the difference.
"""

from __future__ import annotations

import gc
import importlib
import os
import socket
import sys
from typing import Any

from exercises.testkit.workbench import Workbench
from grader.checker.job import Job
from grader.checker.remote import Init
from grader.checker.runner import Runner
from grader.report import Outcome
from grader.sandbox import pages
from grader.sandbox.learner import serve
from grader.sandbox.wire import Channel, Kind, forever
from grader.sandbox.zygote import OURS, WARM


class _BareInit(Init):
    """Hands over the one learner; there is no output to attribute and nothing to kill."""

    def __init__(self, channel: int, pid: int) -> None:
        self._learner = (channel, pid)

    def ask(self, do: str, **facts: str) -> dict[str, Any]:
        return {}

    def new_learner(self) -> tuple[int, int]:
        return self._learner


def main() -> None:
    for name in (*WARM, *OURS):
        importlib.import_module(name)
    job = Job.decode(sys.stdin.buffer.readline())
    gc.collect()
    gc.freeze()
    pages.collapse_heap()
    while True:
        _pair(job)
        sys.stdout.buffer.write(b"ok\n")
        sys.stdout.flush()
        if not sys.stdin.buffer.readline():
            return


def _pair(job: Job) -> None:
    ours, theirs = socket.socketpair()
    learner = os.fork()
    if learner == 0:
        ours.close()
        channel = Channel(theirs.detach())
        channel.send(Kind.READY, b"", forever)
        serve(channel, Workbench(job.reply_bytes))
    theirs.close()
    checker = os.fork()
    if checker == 0:
        findings = Runner(job, _BareInit(ours.detach(), learner), lambda test, total: None).run()
        passed = all(test["outcome"] == Outcome.PASSED for test in findings.tests)
        os._exit(0 if passed and findings.tests and not findings.fault else 1)
    ours.close()
    _, status = os.waitpid(checker, 0)
    os.waitpid(learner, 0)
    if status:
        raise SystemExit("the bare pair did not accept the reference")


if __name__ == "__main__":
    main()
