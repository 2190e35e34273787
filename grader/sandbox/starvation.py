"""Tell a learner that sleeps from one that the machine did not let run: only the first is its own doing."""

from __future__ import annotations

import os

from grader.sandbox.processes import open_of


def run_delay(pid: int, proc: int) -> float:
    """Seconds that `pid` was runnable without being run: the second field of its schedstat.

    `proc` is a directory descriptor of a /proc opened before the sandbox's root replaced the machine's. Where there is
    none (-1) nobody can tell, and the answer is 0.
    """
    fd = open_of(pid, "schedstat", proc)
    if fd < 0:
        return 0.0
    try:
        return int(os.read(fd, 4096).split()[1]) / 1e9
    except (OSError, ValueError, IndexError):
        return 0.0
    finally:
        os.close(fd)
