"""The benchmark in small: that every part runs, and that what it counts is what it says."""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
from pathlib import Path

import pytest

from exercises.package import by_slug
from grader.sandbox.sandbox import REPOSITORY
from scripts.bench.__main__ import MEASURED, SMALL_OUTPUT, measure
from scripts.bench.cheap import ENDINGS
from scripts.bench.memory import memory, private_kb


def test_every_part_runs_and_writes_its_figures() -> None:
    """A part that nobody runs breaks unseen. Otter may be missing where its installation is refused."""
    command = [sys.executable, "-m", "scripts.bench", "--small"]
    done = subprocess.run(command, cwd=REPOSITORY, stdout=subprocess.PIPE, text=True, timeout=900, check=False)
    assert done.returncode == 0, done.stdout
    written = json.loads((REPOSITORY / SMALL_OUTPUT).read_text())
    assert written.pop("failures") == []
    assert set(written) == {MEASURED[0], "queue", "click", "bank", "engine", "pages"}
    assert all(math.isfinite(figure) for figures in written.values() for figure in figures.values())
    promised = {
        "queue": ("claim_long_over_short_sqlite", "claim_long_over_short_postgres", "flooded_over_quiet_wait"),
        MEASURED[0]: ("cold_over_warm", "in_process_ms", "warm_over_in_process", "throughput_over_limit"),
    }
    for part, figures in promised.items():
        assert set(figures) <= set(written[part])


def test_a_part_that_fails_spoils_no_other(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def broken() -> dict[str, float]:
        raise RuntimeError("the wire did not hold")

    output = tmp_path / "build" / "bench.json"
    parts = {"first": [lambda: {"a": 1.0}, broken, lambda: {"b": 2.0}], "last": [lambda: {"c": 3.0}]}
    assert measure(parts, output) == 1
    failures = ["first: RuntimeError: the wire did not hold"]
    assert json.loads(output.read_text()) == {"first": {"a": 1, "b": 2}, "last": {"c": 3}, "failures": failures}
    assert "the wire did not hold" in capsys.readouterr().out


def test_however_a_submission_ends_it_leaves_nothing(tmp_path: Path) -> None:
    """In a process of its own, which adopts the orphans that it counts."""
    command = [sys.executable, "-m", "scripts.bench", "--leaks", str(len(ENDINGS))]
    subprocess.run(command, cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(REPOSITORY)}, check=True, timeout=300)
    counts = json.loads((tmp_path / "build" / "leaks.json").read_text())
    assert len(counts) >= 8
    # Less is no leak: what a killed server has left behind is cleared away by whoever takes its slot.
    assert all(count["after"] <= count["before"] for count in counts.values()), counts


def test_private_memory_is_ones_own() -> None:
    before, own = private_kb(os.getpid()), bytearray(32 << 20)
    assert 30_000 < private_kb(os.getpid()) - before < 40_000
    assert own


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may read the memory of another user's process")
def test_a_grading_has_little_memory_of_its_own() -> None:
    assert 5 < memory(by_slug("positional-encoding"))["memory_mb_per_grading"] <= 40
