"""Remembers what a test asked and what the learner answered, so that known mistakes can be asked the same."""

from __future__ import annotations

from dataclasses import dataclass, field

from exercises.testkit.solution import Transport

MAX_BYTES = 8 << 20
MAX_TESTS = 8
"""So many failed tests are remembered, and known mistakes are asked no more than these."""


@dataclass(slots=True)
class Exchange:
    request: bytes
    reply: bytes


@dataclass(slots=True)
class Recording:
    """A transport around another one. Loading is not part of the record: every mistake is loaded anew."""

    inner: Transport
    test: str
    exchanges: list[Exchange] = field(default_factory=list)
    complete: bool = True
    _begun: bool = False
    _bytes: int = 0

    def begin(self) -> None:
        """The module is loaded; from here on everything counts."""
        self._begun = True

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
        reply = self.inner.exchange(request)
        if self._begun:
            self._bytes += len(request) + len(reply)
            if self._bytes > MAX_BYTES:
                self.complete = False
            self.exchanges.append(Exchange(request, reply) if self.complete else Exchange(b"", b""))
        return reply
