"""Private memory, from the kernel's own count: of one running grading, and of a worker that goes on grading."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator
from pathlib import Path

from exercises.package import Package
from grader.judge import judge
from grader.report import TestReport
from grader.sandbox import Sandbox
from scripts.bench.cheap import cheap_package
from scripts.bench.scale import WHOLE, Scale

GRADINGS = 2_000
_SETTLING = 100  # gradings before growth is counted: caches fill


def memory(package: Package, scale: Scale = WHOLE) -> dict[str, float]:
    """MB that init, checker and learner have of their own while one grading runs, at its fullest; {} if unreadable."""
    found: list[float] = []
    with Sandbox() as sandbox:

        def look(test: TestReport, total: int) -> None:
            with contextlib.suppress(ProcessLookupError, FileNotFoundError):  # the last test's job may be over by now
                job = running_job(sandbox)
                found.append(sum(private_kb(pid) for pid in (job, *children(job))) / 1024)

        judge(package, package.reference, seed=20, sandbox=sandbox)
        try:
            judge(package, package.reference, seed=20, sandbox=sandbox, on_progress=look)
        except PermissionError:
            print("  memory_mb_per_grading is left out: only root may read the memory of another user's process")
            return {}
    return {"memory_mb_per_grading": max(found)}


def growth(scale: Scale = WHOLE) -> dict[str, float]:
    """MB by which worker and zygote together have grown after so many gradings by one and the same zygote."""
    gradings, settling = scale.of(GRADINGS), scale.of(_SETTLING)
    package = cheap_package()
    with Sandbox(jobs_per_zygote=gradings + 2 * settling) as sandbox:
        for seed in range(gradings + settling):
            if seed == settling:
                before = _anonymous_mb(sandbox)
            assert judge(package, package.reference, seed=seed, sandbox=sandbox).accepted
        return {"growth_mb_over_2000": _anonymous_mb(sandbox) - before}


def _anonymous_mb(sandbox: Sandbox) -> float:
    """Of this process and both halves of the zygote. Anonymous, not private: forks share the zygote's heap with it."""
    assert sandbox.zygote_pid is not None
    sandbox.settle()
    pids: list[int | str] = ["self", sandbox.zygote_pid, *children(sandbox.zygote_pid)]
    return sum(_kilobytes(pid, "Anonymous") for pid in pids) / 1024


def running_job(sandbox: Sandbox) -> int:
    """The init of the job that runs: the oldest child of the zygote proper. A younger one stands by for the next."""
    assert sandbox.zygote_pid is not None
    (zygote,) = children(sandbox.zygote_pid)
    return children(zygote)[0]


def children(pid: int) -> list[int]:
    """Oldest first."""
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def private_kb(pid: int) -> int:
    return _kilobytes(pid, "Private_Clean") + _kilobytes(pid, "Private_Dirty")


def _kilobytes(pid: int | str, name: str) -> int:
    return sum(_values(Path(f"/proc/{pid}/smaps_rollup").read_text(), name))


def _values(text: str, name: str) -> Iterator[int]:
    yield from (int(found) for found in re.findall(rf"^{name}:\s+(\d+) kB$", text, re.MULTILINE))
