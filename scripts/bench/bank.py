"""All references of the bank, graded by one command as an author would."""

from __future__ import annotations

import json
import subprocess
import sys
import time

from grader.sandbox.sandbox import REPOSITORY
from scripts.bench.scale import WHOLE, Scale


def bank(scale: Scale = WHOLE) -> dict[str, float]:
    """Exercises, seconds of the whole command, and the exercise whose reference took longest."""
    command = [
        sys.executable,
        "manage.py",
        "grade",
        "--references",
        "--json",
    ]  # all of them: that none may fail is the point
    began = time.perf_counter()
    done = subprocess.run(command, cwd=REPOSITORY, check=True, stdout=subprocess.PIPE, text=True)
    total = time.perf_counter() - began
    seconds = {line["exercise"]: line["seconds"]["total"] for line in map(json.loads, done.stdout.splitlines())}
    slowest = max(seconds, key=lambda slug: seconds[slug])
    print(f"  the slowest reference is that of {slowest}", flush=True)
    return {"references": len(seconds), "references_s": total, "slowest_reference_s": seconds[slowest]}
