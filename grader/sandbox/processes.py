"""Read of a process what the machine's /proc tells, though its pid here is one of an inner namespace."""

from __future__ import annotations

import os


def open_of(pid: int, name: str, proc: int) -> int:
    """A descriptor of /proc/PID/`name`, or -1 where it cannot be had.

    `proc` is a directory descriptor of a /proc opened before the sandbox's root replaced the machine's, or -1.
    """
    if proc < 0:
        return -1
    try:
        return _open(f"{_outer_pid(os.pidfd_open(pid), proc)}/{name}", proc)
    except (OSError, ValueError):
        return -1


def _outer_pid(pidfd: int, proc: int) -> int:
    """The pid that this /proc knows the process by: its namespace is an outer one."""
    try:
        fd = _open(f"self/fdinfo/{pidfd}", proc)
        try:
            text = os.read(fd, 4096).decode()
        finally:
            os.close(fd)
        for line in text.splitlines():
            name, _, value = line.partition(":")
            if name == "Pid":
                return int(value)
    finally:
        os.close(pidfd)
    raise ValueError("no pid")


def _open(path: str, proc: int) -> int:
    return os.open(path, os.O_RDONLY | os.O_CLOEXEC, dir_fd=proc)
