"""The reference, in the checker's own process: an author's code, whose failures are never the learner's."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from exercises.testkit.collect import rng_for
from exercises.testkit.failures import Failure
from exercises.testkit.solution import InvalidSource, LearnerError, Solution
from exercises.testkit.workbench import Workbench
from grader.checker.job import Job
from grader.checker.remote import Fault

_CAP = 1 << 30


class ReferenceFailed(Fault):
    """The reference raised while a test ran. `exception` is the name of what it raised."""

    def __init__(self, error: LearnerError | Failure) -> None:
        super().__init__(f"the reference failed: {error}")
        self.exception = error.type_name if isinstance(error, LearnerError) else type(error).__name__


class _Reference(Solution):
    """A solution whose errors are faults."""

    def _ask(self, request: Mapping[str, Any]) -> dict[str, Any]:
        try:
            return super()._ask(request)
        except (LearnerError, Failure) as error:
            raise ReferenceFailed(error) from error


def reference_solution(job: Job, test: str) -> Solution:
    """The reference loaded afresh, with the same random state as the learner's module in this test."""
    solution = _Reference(Workbench(_CAP), reply_cap=_CAP)
    try:
        seed = int(rng_for(job.seed, test).integers(1 << 62))
        solution.load_source(job.reference, seed=seed, support=job.support)
    except InvalidSource as error:
        raise Fault(f"the reference cannot be loaded: {error}") from error
    return solution
