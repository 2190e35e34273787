"""How much private memory a learner has, read from outside, so that the bound holds without control groups, too.

RLIMIT_DATA counts address space that is writable now. Pages of a library's file become private once they are written,
and stay so when they are made read-only again: they count as anonymous memory (RssAnon) alone.
"""

from __future__ import annotations

import os

from grader.sandbox.processes import open_of

SLACK_MB = 24
"""The stack and what was relocated late are no data: so much more than its limit a learner may hold."""
LOOK_SECONDS = 0.01
_MOST_A_SECOND = 8 << 30  # bytes; nobody fills memory faster than this
_SOONEST = 0.001


class Watch:
    """Of the learner `pid`, which has run nothing of its own yet: what it holds now is its fork's.

    `proc` is a directory descriptor of a /proc opened before the sandbox's root hid it; with -1 nothing is seen.
    """

    def __init__(self, pid: int, proc: int, limit: int) -> None:
        """`limit`: bytes that it may add."""
        self._fd = open_of(pid, "status", proc)
        self._most = self.private_bytes() + limit + (SLACK_MB << 20)
        self.patience = LOOK_SECONDS
        """Seconds until the next look is due: sooner the nearer the limit is."""

    def exceeded(self) -> bool:
        left = self._most - self.private_bytes()
        self.patience = min(LOOK_SECONDS, max(_SOONEST, left / _MOST_A_SECOND))
        return left < 0

    def private_bytes(self) -> int:
        """Resident without being a file's, or swapped out; 0 of a process that has ended."""
        if self._fd < 0:
            return 0
        try:
            text = os.pread(self._fd, 4096, 0)
        except ProcessLookupError:
            return 0
        return (_kilobytes(text, b"\nRssAnon:") + _kilobytes(text, b"\nVmSwap:")) << 10

    def close(self) -> None:
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1


def can_watch(proc: int) -> bool:
    """Whether a process' private memory can be read here."""
    watch = Watch(os.getpid(), proc, 0)
    seen = watch.private_bytes() > 0
    watch.close()
    return seen


def _kilobytes(text: bytes, name: bytes) -> int:
    start = text.find(name)
    return int(text[start + len(name) : text.index(b" kB", start)]) if start >= 0 else 0
