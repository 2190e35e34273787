"""What a process does that waits for its job: nothing at first, and after a quiet moment it rehearses.

Under load the next job is there before that, and no processor time is spent on a rehearsal.
"""

from __future__ import annotations

import select

QUIET_SECONDS = 0.3


def wait_rehearsing(fd: int) -> None:
    """Return when there is something to read, or nobody left to write it."""
    poll = select.poll()
    poll.register(fd, select.POLLIN)
    if not poll.poll(QUIET_SECONDS * 1000):
        from exercises.testkit.rehearsal import rehearse  # imports torch, which a cold start may not have yet

        rehearse()
        poll.poll()
