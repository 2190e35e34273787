"""How long one judgement takes: warm, cold, as a bare pair of forks, and in one process.

Each begins at rest, as when a learner submits to a worker that waits: the job that stands by has had its quiet moment.
What that costs a busy worker shows in `throughput`.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from functools import partial
from statistics import median

from exercises.package import Package
from grader.judge import judge, make_job
from grader.report import Report
from grader.sandbox import Sandbox
from grader.sandbox.cpu import fixed_environment
from grader.sandbox.sandbox import REPOSITORY
from grader.sandbox.standby import QUIET_SECONDS
from scripts.bench.bare import first_mistake
from scripts.bench.scale import WHOLE, Scale

SEED = 20
WARM_ROUNDS = 15
COLD_ROUNDS = 5
WRONG_ROUNDS = 10
LEVEL_ROUNDS = 10
REST_SECONDS = 3 * QUIET_SECONDS


def latency(package: Package, scale: Scale = WHOLE) -> dict[str, float]:
    """Seconds of one judgement, where they go, and the ratios: cold ÷ warm, warm ÷ fork, warm ÷ in process; and of a
    wrong one, until its verdict and until its mistake is named."""
    with Sandbox() as sandbox, Sandbox(cold=True) as cold_sandbox, Bare(package) as here, Bare(package) as forking:
        parts = {
            "warm": lambda: _judge(package, sandbox),
            "fork": lambda: forking.do("pair"),
            "forks": lambda: forking.do("forks"),
            "in_process": lambda: here.do("tests"),
            "answers": lambda: here.do("answers"),
            "runner": lambda: here.do("runner"),
        }
        seconds = dict(zip(parts, in_turns(scale.of(WARM_ROUNDS), *parts.values()), strict=True))
        cold, warm_beside = in_turns(
            scale.of(COLD_ROUNDS), lambda: _judge(package, cold_sandbox), lambda: _judge(package, sandbox)
        )
        wrong = _wrong(package, sandbox, scale.of(WRONG_ROUNDS))
        (diagnosis,) = in_turns(scale.of(WRONG_ROUNDS), lambda: here.do("diagnosis"))
    return {
        **{f"{name}_ms": 1000 * seconds[name] for name in ("warm", "fork", "in_process")},
        "cold_ms": 1000 * cold,
        "cold_over_warm": cold / warm_beside,
        "warm_over_fork": seconds["warm"] / seconds["fork"],
        "warm_over_in_process": seconds["warm"] / seconds["in_process"],
        "wrong_verdict_ms": 1000 * wrong[0],
        "wrong_verdict_over_warm": wrong[0] / seconds["warm"],
        "wrong_whole_ms": 1000 * wrong[1],
        "diagnosis_in_process_ms": 1000 * diagnosis,
        **{f"part_{name}_ms": 1000 * part for name, part in _shares(seconds).items()},
    }


def _shares(seconds: Mapping[str, float]) -> dict[str, float]:
    """Where a warm judgement's time goes: each is the difference between two things that were timed."""
    return {
        "answering": seconds["answers"],
        "comparing": seconds["in_process"] - seconds["answers"],
        "recording": seconds["runner"] - seconds["in_process"],
        "fork": seconds["forks"],
        "wire": seconds["fork"] - seconds["runner"] - seconds["forks"],
        "confinement": seconds["warm"] - seconds["fork"],
    }


def levels(package: Package, scale: Scale = WHOLE) -> dict[str, float]:
    """Warm ÷ fork at the best level that this machine reaches, and with what containers lack taken away."""
    found = {}
    with Bare(package) as bare:
        for without in ([], ["cgroups"], ["cgroups", "namespaces"]):
            with Sandbox(without=without) as sandbox:
                warm, fork = in_turns(
                    scale.of(LEVEL_ROUNDS), partial(_judge, package, sandbox), lambda: bare.do("pair")
                )
                found[f"warm_over_fork_{sandbox.level}"] = warm / fork
    return found


def in_turns(rounds: int, *works: Callable[[], None], rest: float = REST_SECONDS) -> list[float]:
    """Median seconds of each, `rest` seconds apart, after one round that does not count."""
    times: list[list[float]] = [[] for _ in works]
    for index in range(rounds + 1):
        for work, found in zip(works, times, strict=True):
            time.sleep(rest)
            started = time.perf_counter()
            work()
            if index:
                found.append(time.perf_counter() - started)
    return [median(found) for found in times]


def _judge(package: Package, sandbox: Sandbox) -> None:
    report = judge(package, package.reference, seed=SEED, sandbox=sandbox)
    assert report.accepted, report.message
    sandbox.settle()  # the next one would wait for it: a judgement costs its ending, too


def _wrong(package: Package, sandbox: Sandbox, rounds: int) -> tuple[float, float]:
    """Median seconds until the verdict on a wrong submission is told, and until it is told which mistake that makes."""
    source, times = first_mistake(make_job(package, "", SEED)), []
    for _ in range(rounds + 1):
        time.sleep(REST_SECONDS)
        times.append(_judge_wrong(package, source, sandbox))
        sandbox.settle()
    verdict, whole = zip(*times[1:], strict=True)
    return median(verdict), median(whole)


def _judge_wrong(package: Package, source: str, sandbox: Sandbox) -> tuple[float, float]:
    told: list[float] = []

    def tell(report: Report) -> None:
        told.append(time.perf_counter())

    started = time.perf_counter()
    report = judge(package, source, seed=SEED, sandbox=sandbox, on_verdict=tell)
    assert report.mistake is not None, report.message
    return told[0] - started, time.perf_counter() - started


class Bare:
    """A process of `scripts.bench.bare`."""

    def __init__(self, package: Package) -> None:
        self._job = make_job(package, package.reference, SEED)

    def __enter__(self) -> Bare:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "scripts.bench.bare"],
            cwd=REPOSITORY,
            env=fixed_environment(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        self._ask(self._job.encode())
        return self

    def __exit__(self, *exc: object) -> None:
        self._process.kill()
        self._process.communicate()

    def do(self, part: str) -> None:
        self._ask(part.encode())

    def _ask(self, line: bytes) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(line + b"\n")
        self._process.stdin.flush()
        answer = self._process.stdout.readline()
        assert answer == b"ok\n", answer
