"""A learner that answers in this very process, for tests of what surrounds it."""

from __future__ import annotations

from typing import Any

from exercises.testkit.workbench import Workbench
from grader.checker.job import Job
from grader.checker.remote import Budget, Init, RemoteLearner


class NoInit(Init):
    """There is no output to attribute, and nothing to kill."""

    def __init__(self) -> None:
        pass

    def ask(self, do: str, **facts: str) -> dict[str, Any]:
        return {}


class Here(RemoteLearner):
    """Counts what it is asked."""

    def __init__(self, job: Job) -> None:
        super().__init__(NoInit(), job, Budget(job.cpu_seconds, job.total_cpu_seconds))
        self.workbench, self.asked = Workbench(job.reply_bytes), 0

    def exchange(self, request: bytes) -> bytes:
        self.asked += 1
        return self.workbench.exchange(request)
