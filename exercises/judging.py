"""Which of our files judge, and their digest: a proof speaks for the engine that made it, and for no other.

Neither Python's nor a library's build is part of it. A proof only states with which it was made.
"""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

_BASE = Path(__file__).resolve().parent.parent
# Paths only, no imports: what stands above `exercises` is known here by its name alone.
FILES = (
    "exercises/equivalents.py",
    "exercises/families.py",
    "exercises/form.py",
    "exercises/manifest.py",
    "exercises/mutation",
    "exercises/package.py",
    "exercises/testkit",
    "exercises/visible.py",
    "grader/checker",
    "grader/judge.py",
    "grader/notebook.py",
    "grader/prints.py",
    "grader/proving",
    "grader/report.py",
    "grader/sandbox",
    "grader/source.py",
    "grader/strict.py",
    "grader/trials.py",
    "grader/wording.py",
)
"""Modules, and folders with all modules in them, below the repository."""


@cache
def engine_digest() -> str:
    """Of the files as they are when this process first asks; SHA-256, hexadecimal."""
    return digest_of_code(_BASE)


def digest_of_code(base: Path) -> str:
    """SHA-256, hexadecimal, over path, length and content of every module named by `FILES` below `base`."""
    digest = hashlib.sha256()
    for name in FILES:
        path = base / name
        for file in sorted(path.rglob("*.py")) if path.is_dir() else [path]:
            content = file.read_bytes()
            digest.update(f"{file.relative_to(base).as_posix()}\0{len(content)}\0".encode() + content)
    return digest.hexdigest()
