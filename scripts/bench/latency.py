"""How long one judgement takes: warm, cold, and as a bare pair of forks.

Each begins at rest, as when a learner submits to a worker that waits: the job that stands by has had its quiet moment.
What that costs a busy worker shows in `throughput`.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from statistics import median

from exercises.package import Package
from grader.judge import judge, make_job
from grader.sandbox import Sandbox
from grader.sandbox.cpu import fixed_environment
from grader.sandbox.sandbox import REPOSITORY
from grader.sandbox.standby import QUIET_SECONDS

SEED = 20
WARM_ROUNDS = 25
COLD_ROUNDS = 5
LEVEL_ROUNDS = 10
REST_SECONDS = 3 * QUIET_SECONDS


def latency(package: Package) -> dict[str, float]:
    """Seconds of one judgement and the two ratios: cold ÷ warm, warm ÷ fork."""
    with Sandbox() as sandbox, Sandbox(cold=True) as cold_sandbox, BarePair(package) as pair:
        warm, fork = in_turns(WARM_ROUNDS, lambda: _judge(package, sandbox), pair.run)
        cold, warm_beside = in_turns(
            COLD_ROUNDS, lambda: _judge(package, cold_sandbox), lambda: _judge(package, sandbox)
        )
    return {
        "warm_ms": 1000 * warm,
        "fork_ms": 1000 * fork,
        "cold_ms": 1000 * cold,
        "cold_over_warm": cold / warm_beside,
        "warm_over_fork": warm / fork,
    }


def levels(package: Package) -> dict[str, float]:
    """Warm ÷ fork at the best level that this machine reaches, and with what containers lack taken away."""
    found = {}
    with BarePair(package) as pair:
        for without in ([], ["cgroups"], ["cgroups", "namespaces"]):
            with Sandbox(without=without) as sandbox:
                warm, fork = in_turns(LEVEL_ROUNDS, partial(_judge, package, sandbox), pair.run)
                found[f"warm_over_fork_{sandbox.level}"] = warm / fork
    return found


def in_turns(
    rounds: int, first: Callable[[], None], second: Callable[[], None], rest: float = REST_SECONDS
) -> tuple[float, float]:
    """Median seconds of each, `rest` seconds apart, after one round that does not count."""
    times: tuple[list[float], list[float]] = ([], [])
    for index in range(rounds + 1):
        for work, found in zip((first, second), times, strict=True):
            time.sleep(rest)
            started = time.perf_counter()
            work()
            if index:
                found.append(time.perf_counter() - started)
    return median(times[0]), median(times[1])


def _judge(package: Package, sandbox: Sandbox) -> None:
    report = judge(package, package.reference, seed=SEED, sandbox=sandbox)
    assert report.accepted, report.message
    sandbox.settle()  # the next one would wait for it: a judgement costs its ending, too


class BarePair:
    """A warm process of its own that forks an unconfined checker and learner for every run."""

    def __init__(self, package: Package) -> None:
        self._job = make_job(package, package.reference, SEED)

    def __enter__(self) -> BarePair:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "scripts.bench.bare_pair"],
            cwd=REPOSITORY,
            env=fixed_environment(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        assert self._process.stdin is not None
        self._process.stdin.write(self._job.encode() + b"\n")
        self._process.stdin.flush()
        self._answer()
        return self

    def __exit__(self, *exc: object) -> None:
        self._process.kill()
        self._process.communicate()

    def run(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(b"again\n")
        self._process.stdin.flush()
        self._answer()

    def _answer(self) -> None:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        assert line == b"ok\n", line
