"""The checker's own processor time: no answer of a learner may keep it busy for longer than is provided for."""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager


class Overlong(BaseException):
    """The time is used up. Not an `Exception`: no test may swallow it."""


class Stopwatch:
    """CPU seconds that this process may spend in all `running` blocks together."""

    def __init__(self, seconds: float) -> None:
        self.left = seconds

    @contextmanager
    def running(self) -> Iterator[None]:
        """Raise `Overlong` in the block, between two steps of Python, as soon as the time is used up.

        Code in the block may take it for an error of its own and swallow it: after the block, look at `left`.
        """
        armed, rang = True, False

        def ring(*_: object) -> None:
            nonlocal rang
            if armed:
                rang = True
                raise Overlong

        began = time.process_time()
        before = signal.signal(signal.SIGPROF, ring)
        try:
            signal.setitimer(signal.ITIMER_PROF, max(self.left, 1e-6))
            yield
        finally:
            armed = False
            signal.setitimer(signal.ITIMER_PROF, 0.0)
            signal.signal(signal.SIGPROF, before)
            self.left -= time.process_time() - began
            if rang:  # the kernel counts for its timer by ticks, and may be ahead of the exact clock
                self.left = min(self.left, 0.0)
