"""The reference, in the checker's own process: an author's code, whose failures are never the learner's."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

from exercises.testkit.collect import LOADING, seed_for
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


class Reference(Solution):
    """A solution whose errors are faults."""

    def __init__(self, job: Job) -> None:
        super().__init__(Workbench(_CAP), reply_cap=_CAP)
        self._job = job
        self._loaded = False

    def at(self, test: str) -> Self:
        """At the beginning of a test, with the same random state as the learner's module; loaded when first needed."""
        if not self._loaded:
            try:
                self.load_source(self._job.reference, seed=seed_for(self._job.seed, LOADING), support=self._job.support)
            except InvalidSource as error:
                raise Fault(f"the reference cannot be loaded: {error}") from error
            self._loaded = True
        self.begin(seed_for(self._job.seed, test))
        return self

    def exchange(self, request: bytes) -> bytes:
        """Answer one encoded request, errors and all."""
        return self._transport.exchange(request)

    def _ask(self, request: Mapping[str, Any]) -> dict[str, Any]:
        try:
            return super()._ask(request)
        except (LearnerError, Failure) as error:
            raise ReferenceFailed(error) from error
