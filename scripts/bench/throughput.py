"""How many verdicts a second: through the real queue, and by judging directly with as many processes."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from statistics import median

from exercises.package import Package
from scripts.bench.house import WORKERS, House, house
from scripts.bench.scale import WHOLE, Scale

VERDICTS = 60
ROUNDS = 3
_PYTHON = [sys.executable, "-m"]


def throughput(package: Package, scale: Scale = WHOLE) -> dict[str, float]:
    """Verdicts a second through broker, worker and database, and its share of direct judging."""
    with house() as place:
        verdicts = scale.of(VERDICTS, least=WORKERS)
        pairs = [
            (_queue_rate(place, package.slug, verdicts), direct_rate(package.slug, verdicts))
            for _ in range(scale.of(ROUNDS))
        ]
    return {
        "verdicts_per_second": median(rate for rate, _ in pairs),
        "throughput_over_limit": median(rate / direct for rate, direct in pairs),
    }


def _queue_rate(place: House, slug: str, verdicts: int) -> float:
    facts = json.loads(place.run("-m", "scripts.bench.queued", slug, str(verdicts)))
    return float(facts["verdicts_per_second"])


def direct_rate(slug: str, verdicts: int) -> float:
    """Verdicts a second of WORKERS processes that judge without a queue, all at once."""
    command = [*_PYTHON, "scripts.bench.direct", slug, str(verdicts // WORKERS)]
    judges = [subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) for _ in range(WORKERS)]
    for judge in judges:
        assert judge.stdout is not None
        assert judge.stdout.readline() == b"ready\n"
    started = time.monotonic()
    for judge in judges:
        assert judge.stdin is not None
        judge.stdin.write(b"go\n")
        judge.stdin.flush()
    for judge in judges:
        assert judge.stdout is not None
        assert judge.stdout.readline() == b"done\n"
    elapsed = time.monotonic() - started
    for judge in judges:
        judge.communicate()
    return (verdicts // WORKERS) * WORKERS / elapsed
