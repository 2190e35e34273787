"""Which packages were proven on this machine, with this engine: so that a check need not prove them again.

A proof speaks of the package's files, our engine's and the libraries' versions; any other of these is another key.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import sys
from collections.abc import Iterable
from importlib.metadata import version
from pathlib import Path
from typing import Any

from exercises.package import Package

_BASE = Path(__file__).resolve().parents[2]
_ENGINE = (
    "exercises/families.py",
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
    """Reports that found nothing wrong, by key, in a JSON file that anyone may delete at any time."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._engine = _engine_digest()

    def recall(self, package: Package) -> dict[str, Any] | None:
        """The report on this very package, if it was proven here."""
        return _read(self._file).get(self._key(package))

    def add(self, proven: Iterable[tuple[Package, dict[str, Any]]]) -> None:
        """Remember these, too. Where the file cannot be written, everything is proven again next time."""
        known = _read(self._file) | {self._key(package): report for package, report in proven}
        written = self._file.with_suffix(f".{os.getpid()}")
        with contextlib.suppress(OSError):
            self._file.parent.mkdir(parents=True, exist_ok=True)
            written.write_text(json.dumps(known))
            written.replace(self._file)

    def _key(self, package: Package) -> str:
        return hashlib.sha256(f"{self._engine}\0{package.digest}".encode()).hexdigest()


def _read(file: Path) -> dict[str, dict[str, Any]]:
    try:
        known = json.loads(file.read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    if type(known) is not dict:
        return {}
    return {key: report for key, report in known.items() if type(report) is dict and report.get("ok") is True}


def _engine_digest() -> str:
    digest = hashlib.sha256(f"{sys.version} {version('numpy')} {version('torch')}".encode())
    for name in _ENGINE:
        path = _BASE / name
        for file in sorted(path.rglob("*.py")) if path.is_dir() else [path]:
            digest.update(f"{file.relative_to(_BASE)}\0".encode() + file.read_bytes())
    return digest.hexdigest()
