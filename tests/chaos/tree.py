"""A worker's processes, found from outside by who started whom."""

from __future__ import annotations

import contextlib
import os
import signal
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

PROC = Path("/proc")
ROLES = ("worker", "pool child", "zygote", "standby", "checker", "learner")


@dataclass(frozen=True, slots=True)
class Process:
    """`started` (clock ticks since boot) tells a process from a later one of the same pid."""

    pid: int
    parent: int
    started: int

    def is_alive(self) -> bool:
        now = read(self.pid)
        return now is not None and now.started == self.started

    def kill(self) -> bool:
        """SIGKILL exactly this process; False when it has ended by itself."""
        try:
            handle = os.pidfd_open(self.pid)
        except ProcessLookupError:
            return False
        try:
            if not self.is_alive():
                return False
            signal.pidfd_send_signal(handle, signal.SIGKILL)
        except ProcessLookupError:
            return False
        finally:
            os.close(handle)
        return True


def read(pid: int) -> Process | None:
    """None when there is no such process, or only its exit status."""
    try:
        state, parent, *rest = (PROC / str(pid) / "stat").read_text().rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return None
    return None if state in "ZX" else Process(pid, int(parent), int(rest[17]))


def descendants(pid: int) -> dict[int, list[Process]]:
    """Every process below `pid`, as children by parent, eldest first."""
    children: dict[int, list[Process]] = {}
    for entry in PROC.iterdir():
        with contextlib.suppress(ValueError):
            process = read(int(entry.name))
            if process is not None:
                children.setdefault(process.parent, []).append(process)
    below = {}
    waiting = [pid]
    while waiting:
        parent = waiting.pop()
        below[parent] = sorted(children.get(parent, ()), key=lambda child: (child.started, child.pid))
        waiting += [child.pid for child in below[parent]]
    return below


def in_role(role: str, worker: int) -> Iterator[Process]:
    """The processes of a worker that play a role now: worker → pool children → zygotes → inits → checker, learners."""
    below = descendants(worker)
    pool = below[worker]
    zygotes = [child for one in pool for child in below[one.pid]]
    jobs = [inits for zygote in zygotes if (inits := list(_inits(zygote.pid, below)))]
    running = [inits[0] for inits in jobs]
    if role == "worker":
        yield from filter(None, [read(worker)])
    elif role == "pool child":
        yield from pool
    elif role == "zygote":
        yield from zygotes
    elif role == "standby":  # forked while an elder job runs
        yield from (inits[-1] for inits in jobs if len(inits) > 1)
    elif role == "checker":  # the first that init forks
        yield from (below[init.pid][0] for init in running)
    else:
        yield from (learner for init in running for learner in below[init.pid][1:])


def _inits(pid: int, below: dict[int, list[Process]]) -> Iterator[Process]:
    """The processes at the end of the zygote's chain that have children of which none has any."""
    for child in below[pid]:
        if below[child.pid] and not any(below[grandchild.pid] for grandchild in below[child.pid]):
            yield child
        else:
            yield from _inits(child.pid, below)
