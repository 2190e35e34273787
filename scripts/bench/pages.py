"""How long each main page takes, as a ratio to a bare Django view in the same run."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path


def pages() -> dict[str, dict[str, float]]:
    """Of each page: median milliseconds, and how many times those of the bare view that it took turns with.

    Measured in a process and on an SQLite database of their own, with 500 learners in the course.
    """
    with tempfile.TemporaryDirectory(prefix="gradus-bench-") as folder:
        environment = {
            "PATH": os.environ["PATH"],
            "GRADUS_VAR": folder,
            "DATABASE_URL": f"sqlite:///{Path(folder) / 'bench.sqlite3'}",
            "LOG_LEVEL": "ERROR",
        }
        command = [sys.executable, "-m", "scripts.bench.page_times"]
        done = subprocess.run(command, env=environment, check=True, stdout=subprocess.PIPE, text=True)
    found: dict[str, dict[str, float]] = json.loads(done.stdout)
    return found
