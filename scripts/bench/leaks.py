"""What ten thousand gradings leave behind: `python3 run.py bench --leaks`. It must be nothing.

Orphans come to us, for this process adopts them while it counts. Everything of the machine is counted before the first
sandbox and after the last; what a zygote holds, while it lives, after its first and before its last job.
"""

from __future__ import annotations

import contextlib
import os
import time
from pathlib import Path

from grader.judge import PlatformFault, judge
from grader.sandbox import Sandbox, cgroups, linux
from scripts.bench.cheap import ENDINGS, cheap_package
from scripts.bench.memory import children

GRADINGS = 10_000
_PR_SET_CHILD_SUBREAPER = 36
_PATIENCE = 10.0
_FAULTS = 10  # and one in two: more is no busy machine


def leaks(gradings: int = GRADINGS) -> dict[str, dict[str, float]]:
    """Counts before and after, by what is counted; raise if a verdict was not the right one."""
    linux.prctl(_PR_SET_CHILD_SUBREAPER, 1)
    package = cheap_package()
    faults, started = 0, time.monotonic()
    before = _of_the_machine()
    with Sandbox() as sandbox:
        for number in range(gradings):
            source, verdict = ENDINGS[number % len(ENDINGS)]
            try:
                report = judge(package, source, seed=number, sandbox=sandbox)
            except PlatformFault:  # of a busy machine: one more way to end, which must leave nothing
                faults += 1
                if faults > number // 2 + _FAULTS:
                    raise
            else:
                assert report.verdict is verdict, (source, report.verdict, report.message)
            if number == 0:
                first = _of_the_zygote(sandbox)
            if number % 1_000 == 999:
                print(f"  {number + 1} gradings, {time.monotonic() - started:.0f} s, {faults} faults", flush=True)
        last = _of_the_zygote(sandbox)
    _reap()
    counts = {**_pairs(before, _of_the_machine()), **_pairs(first, last)}
    for name, pair in counts.items():
        print(f"  {name:36} {pair['before']:8.0f} → {pair['after']:8.0f}")
    return counts


def _reap() -> None:
    """Processes that were killed come to us to be buried, and that is no leak; ones that live on are."""
    until = time.monotonic() + _PATIENCE
    while children(os.getpid()) and time.monotonic() < until:
        with contextlib.suppress(ChildProcessError):
            os.waitpid(-1, os.WNOHANG)
        time.sleep(0.01)


def _pairs(before: dict[str, int], after: dict[str, int]) -> dict[str, dict[str, float]]:
    return {name: {"before": before[name], "after": after[name]} for name in before}


def _of_the_machine() -> dict[str, int]:
    held = Path("/proc/net/unix").read_text()
    return {
        "processes of this one": len(children(os.getpid())),
        "descriptors of this process": len(os.listdir("/proc/self/fd")),
        "cgroups of slots that nobody holds": sum(
            f"@gradus-slot-{slot}\n" not in held for slot in cgroups.leftover_slots()
        ),
        "tmpfs mounts seen from outside": _tmpfs("self"),
        "files in /dev/shm": len(list(Path("/dev/shm").iterdir())) if os.path.isdir("/dev/shm") else 0,
        "shared memory segments": _lines("/proc/sysvipc/shm"),
        "message queues and semaphores": _lines("/proc/sysvipc/msg") + _lines("/proc/sysvipc/sem"),
    }


def _of_the_zygote(sandbox: Sandbox) -> dict[str, int]:
    """After `settle` it has one child: the job that stands by."""
    sandbox.settle()
    assert sandbox.zygote_pid is not None
    (zygote,) = children(sandbox.zygote_pid)
    time.sleep(0.5)  # the next job is made ready
    return {
        "inits of the zygote": len(children(zygote)),
        "descriptors of the zygote": len(os.listdir(f"/proc/{zygote}/fd")),
        "tmpfs mounts seen by the zygote": _tmpfs(str(zygote)),
    }


def _tmpfs(pid: str) -> int:
    return sum(" - tmpfs " in line for line in Path(f"/proc/{pid}/mountinfo").read_text().splitlines())


def _lines(path: str) -> int:
    return len(Path(path).read_text().splitlines()) - 1 if os.path.exists(path) else 0
