"""Which packages were proven on this machine, with this engine: so that a check need not prove them again.

A proof speaks of the package's files, our engine's and the libraries' versions; any other of these is another key.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterable
from importlib.metadata import version
from pathlib import Path

from exercises.package import Package

_BASE = Path(__file__).resolve().parents[2]
_ENGINE = (
    "exercises/package.py",
    "exercises/testkit",
    "grader/checker",
    "grader/judge.py",
    "grader/proving",
    "grader/report.py",
    "grader/sandbox",
    "grader/trials.py",
)


class ProofMemory:
    """The keys of what was proven, in a JSON file that anyone may delete at any time."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._engine = _engine_digest()
        self._known = set(_read(file))

    def holds(self, package: Package) -> bool:
        return self._key(package) in self._known

    def add(self, packages: Iterable[Package]) -> None:
        """Remember these, too."""
        self._known |= {self._key(package) for package in packages}
        self._file.parent.mkdir(parents=True, exist_ok=True)
        self._file.write_text(json.dumps(sorted(self._known)))

    def _key(self, package: Package) -> str:
        return hashlib.sha256(f"{self._engine}\0{package.digest}".encode()).hexdigest()


def _read(file: Path) -> list[str]:
    try:
        keys = json.loads(file.read_text("utf-8"))
    except (OSError, ValueError):
        return []
    return [key for key in keys if type(key) is str] if type(keys) is list else []


def _engine_digest() -> str:
    digest = hashlib.sha256(f"{sys.version} {version('numpy')} {version('torch')}".encode())
    for name in _ENGINE:
        path = _BASE / name
        for file in sorted(path.rglob("*.py")) if path.is_dir() else [path]:
            digest.update(f"{file.relative_to(_BASE)}\0".encode() + file.read_bytes())
    return digest.hexdigest()
