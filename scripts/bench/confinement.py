"""What confinement costs when every core is busy: confined pairs a second ÷ bare pairs a second."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from functools import partial
from statistics import median
from types import TracebackType
from typing import Self

from exercises.package import Package
from scripts.bench.latency import Bare
from scripts.bench.scale import WHOLE, Scale

CORES = os.cpu_count() or 1
PAIRS = 20  # of each process in one round
ROUNDS = 5


def confinement(package: Package, scale: Scale = WHOLE) -> dict[str, float]:
    """As many processes as cores judge, or fork bare pairs, all at once; the two take turns."""
    with ExitStack() as stack:
        judges = [stack.enter_context(_Judge(package.slug, scale.of(PAIRS))) for _ in range(CORES)]
        bare = [stack.enter_context(Bare(package)) for _ in range(CORES)]
        rates = [
            (
                rate([judge.run for judge in judges], scale.of(PAIRS)),
                rate([partial(_repeat, pair, scale.of(PAIRS)) for pair in bare], scale.of(PAIRS)),
            )
            for _ in range(scale.of(ROUNDS))
        ]
    return {
        "confined_per_second": median(confined for confined, _ in rates),
        "bare_per_second": median(bare for _, bare in rates),
        "confinement_throughput": median(confined / bare for confined, bare in rates),
    }


def rate(workers: Sequence[Callable[[], None]], pairs: int) -> float:
    """Pairs a second, all workers at once, each doing so many, from the first start to the last end."""
    started = time.perf_counter()
    with ThreadPoolExecutor(len(workers)) as pool:
        for done in [pool.submit(worker) for worker in workers]:
            done.result()
    return pairs * len(workers) / (time.perf_counter() - started)


def _repeat(pair: Bare, times: int) -> None:
    for _ in range(times):
        pair.do("pair")


class _Judge:
    """A process with a sandbox of its own that judges so many times whenever it is told to."""

    def __init__(self, slug: str, times: int) -> None:
        self._command = [sys.executable, "-m", "scripts.bench.direct", slug, str(times)]

    def __enter__(self) -> Self:
        self._process = subprocess.Popen(self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self._expect(b"ready\n")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.communicate()

    def run(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(b"go\n")
        self._process.stdin.flush()
        self._expect(b"done\n")

    def _expect(self, line: bytes) -> None:
        assert self._process.stdout is not None
        assert self._process.stdout.readline() == line
