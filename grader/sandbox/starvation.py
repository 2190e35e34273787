"""Tell a learner that sleeps from one that the machine did not let run: only the first is its own doing."""

from __future__ import annotations

import os


def run_delay(pid: int, proc: int) -> float:
    """Seconds that `pid` was runnable without being run: the second field of its schedstat.

    `proc` is a directory descriptor of a /proc opened before the sandbox's root replaced the machine's. Where there is
    none (-1) nobody can tell, and the answer is 0.
    """
    if proc < 0:
        return 0.0
    try:
        outer = _outer_pid(os.pidfd_open(pid), proc)
        return int(_read(f"{outer}/schedstat", proc).split()[1]) / 1e9
    except (OSError, ValueError, IndexError):
        return 0.0


def _outer_pid(pidfd: int, proc: int) -> int:
    """The pid that this /proc knows the process by: its namespace is an outer one."""
    try:
        for line in _read(f"self/fdinfo/{pidfd}", proc).splitlines():
            name, _, value = line.partition(":")
            if name == "Pid":
                return int(value)
    finally:
        os.close(pidfd)
    raise ValueError("no pid")


def _read(path: str, proc: int) -> str:
    fd = os.open(path, os.O_RDONLY, dir_fd=proc)
    try:
        return os.read(fd, 4096).decode()
    finally:
        os.close(fd)
