"""Remembers what a test asked and what the learner answered, so that known mistakes can be asked the same."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from exercises.testkit.solution import Transport
from exercises.testkit.tolerance import Tolerance
from grader.checker.remote import RemoteLearner

MAX_BYTES = 8 << 20
MAX_TESTS = 24
"""So many failed tests are remembered, and known mistakes are asked no more than these."""


@dataclass(slots=True)
class Exchange:
    request: bytes
    reply: bytes


@dataclass(slots=True)
class Recording:
    """A transport around a learner's. Loading is not part of the record: every mistake is loaded itself."""

    learner: RemoteLearner
    test: str
    through: Transport | None = None
    """Another transport around the learner's, if something else listens, too."""
    exchanges: list[Exchange] = field(default_factory=list)
    complete: bool = True
    tolerance: Tolerance | None = None
    """The widest that the test compared within; None if it did not come to compare."""
    _begun: bool = False
    _bytes: int = 0

    def begin(self) -> None:
        """The module is loaded; from here on everything counts."""
        self._begun = True

    def witness(self, actual: Any, expected: Any, tolerance: Tolerance) -> None:
        wide = self.tolerance
        self.tolerance = (
            tolerance if wide is None else Tolerance(max(wide.rtol, tolerance.rtol), max(wide.atol, tolerance.atol))
        )

    @property
    def begun(self) -> bool:
        return self._begun

    @property
    def usable(self) -> bool:
        """Whether others can be asked the same: something was asked, and all of it is on record."""
        return self.complete and self.answered

    @property
    def answered(self) -> bool:
        return bool(self.exchanges)

    def exchange(self, request: bytes) -> bytes:
        reply = (self.through or self.learner).exchange(request)
        if self._begun:
            self._bytes += len(request) + len(reply)
            if self._bytes > MAX_BYTES:
                self.complete = False
            self.exchanges.append(Exchange(request, reply) if self.complete else Exchange(b"", b""))
        return reply
