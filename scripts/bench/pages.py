"""How long each main page takes, as a ratio to a bare Django view in the same run."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

from scripts.bench.house import database_of
from scripts.bench.scale import WHOLE, Scale


def pages(scale: Scale = WHOLE) -> dict[str, float]:
    """Of each page: median milliseconds, and how many times those of the bare view that it took turns with.

    Measured in a process and on an SQLite database of their own, with 500 learners in the course.
    """
    with tempfile.TemporaryDirectory(prefix="gradus-bench-") as folder:
        command = [sys.executable, "-m", "scripts.bench.page_times", str(scale.share)]
        done = subprocess.run(command, env=database_of(Path(folder)), check=True, stdout=subprocess.PIPE, text=True)
    found: dict[str, float] = json.loads(done.stdout)
    return found
