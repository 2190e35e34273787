"""How many verdicts a second: through the real queue, and by judging directly with as many processes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

from config import broker, processes
from exercises.package import Package

WORKERS = max(1, min(2, os.cpu_count() or 1))
VERDICTS = 60
ROUNDS = 3
_PYTHON = [sys.executable, "-m"]


def throughput(package: Package) -> dict[str, float]:
    """Verdicts a second through broker, worker and database, and its share of direct judging."""
    with tempfile.TemporaryDirectory(prefix="gradus-bench-") as folder:
        queue = _Queue(Path(folder), package.slug)
        try:
            pairs = [(queue.rate(), direct_rate(package.slug)) for _ in range(ROUNDS)]
        finally:
            queue.stop()
    return {
        "verdicts_per_second": median(rate for rate, _ in pairs),
        "throughput_over_limit": median(rate / direct for rate, direct in pairs),
    }


def direct_rate(slug: str) -> float:
    """Verdicts a second of WORKERS processes that judge without a queue, all at once."""
    command = [*_PYTHON, "scripts.bench.direct", slug, str(VERDICTS // WORKERS)]
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
    return (VERDICTS // WORKERS) * WORKERS / elapsed


class _Queue:
    """A broker, a worker and a database of their own."""

    def __init__(self, folder: Path, slug: str) -> None:
        self._slug = slug
        socket_file = folder / "broker.sock"
        self._environment = {
            "PATH": os.environ["PATH"],
            "GRADUS_VAR": str(folder),
            "DATABASE_URL": f"sqlite:///{folder}/bench.sqlite3",
            "REDIS_URL": f"unix://{socket_file}",
            "LOG_LEVEL": "WARNING",
        }
        self._run("manage.py", "migrate", "--verbosity=0")
        self._broker = processes.start(
            broker.command(folder=folder, socket_file=socket_file), output=subprocess.DEVNULL
        )
        while not broker.answers(socket_file):
            time.sleep(0.05)
        celery = ["celery", "--app", "config", "worker", f"--concurrency={WORKERS}", "--loglevel=ERROR"]
        self._worker = processes.start(
            [*_PYTHON, *celery, "--without-gossip", "--without-mingle"],
            environment=self._environment,
            output=subprocess.DEVNULL,
        )

    def rate(self) -> float:
        facts = json.loads(self._run("-m", "scripts.bench.queued", self._slug, str(VERDICTS)))
        return float(facts["verdicts_per_second"])

    def stop(self) -> None:
        processes.stop(self._worker, patience=20)
        processes.stop(self._broker, patience=5)

    def _run(self, *arguments: str) -> str:
        done = subprocess.run(
            [sys.executable, *arguments], env=self._environment, check=True, stdout=subprocess.PIPE, text=True
        )
        return done.stdout
