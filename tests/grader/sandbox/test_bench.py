"""What the benchmark counts, counted once on a small scale."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from exercises.package import by_slug
from grader.sandbox.sandbox import REPOSITORY
from scripts.bench.cheap import ENDINGS
from scripts.bench.memory import memory, private_kb


def test_however_a_submission_ends_it_leaves_nothing(tmp_path: Path) -> None:
    """In a process of its own, which adopts the orphans that it counts."""
    command = [sys.executable, "-m", "scripts.bench", "--leaks", str(len(ENDINGS))]
    subprocess.run(command, cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(REPOSITORY)}, check=True, timeout=300)
    counts = json.loads((tmp_path / "build" / "leaks.json").read_text())
    assert len(counts) >= 8
    assert all(count["before"] == count["after"] for count in counts.values()), counts


def test_private_memory_is_ones_own() -> None:
    before, own = private_kb(os.getpid()), bytearray(32 << 20)
    assert 30_000 < private_kb(os.getpid()) - before < 40_000
    assert own


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may read the memory of another user's process")
def test_a_grading_has_little_memory_of_its_own() -> None:
    assert 5 < memory(by_slug("positional-encoding"))["memory_mb_per_grading"] <= 40
