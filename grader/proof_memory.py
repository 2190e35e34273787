"""Which packages were proven on this machine, by this engine: so that a check need not prove them again."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from exercises.judging import engine_digest
from exercises.package import Package
from grader.proving import FULL, Extent


class ProofMemory:
    """Reports that found nothing wrong, by key, in a JSON file that anyone may delete at any time.

    The key is the package, how much was tried, and the engine.
    """

    def __init__(self, file: Path) -> None:
        self._file = file

    def recall(self, package: Package, extent: Extent) -> dict[str, Any] | None:
        """The report on this very package, if it was proven here as far as that, or in full."""
        known = _read(self._file)
        return known.get(_key(package.digest, FULL.name)) or known.get(_key(package.digest, extent.name))

    def add(self, proven: Iterable[dict[str, Any]]) -> None:
        """Remember these, too. Where the file cannot be written, everything is proven again next time."""
        known = _read(self._file) | {_key(report["digest"], report["extent"]): report for report in proven}
        written = self._file.with_suffix(f".{os.getpid()}")
        with contextlib.suppress(OSError):
            self._file.parent.mkdir(parents=True, exist_ok=True)
            written.write_text(json.dumps(known))
            written.replace(self._file)


def _key(digest: str, extent: str) -> str:
    return hashlib.sha256(f"{engine_digest()}\0{extent}\0{digest}".encode()).hexdigest()


def _read(file: Path) -> dict[str, dict[str, Any]]:
    try:
        known = json.loads(file.read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    if type(known) is not dict:
        return {}
    return {key: report for key, report in known.items() if type(report) is dict and report.get("ok") is True}
