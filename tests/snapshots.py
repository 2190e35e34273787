"""Texts that people read, kept word for word in one readable file beside the tests, under a heading each.

`UPDATE_SNAPSHOTS=1` in the environment writes what the tests produce instead of comparing it; then read the diff.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

UPDATING = os.environ.get("UPDATE_SNAPSHOTS") == "1"


class Snapshots:
    """One file: `## name`, an empty line, the text."""

    def __init__(self, file: Path) -> None:
        self._file = file

    def all(self) -> dict[str, str]:
        parts = re.split(r"^## (.+)\n\n", self._file.read_text() if self._file.exists() else "", flags=re.MULTILINE)
        return {name: text.rstrip("\n") for name, text in zip(parts[1::2], parts[2::2], strict=True)}

    def check(self, name: str, text: str) -> None:
        """Fail unless the file has exactly this text under `name`."""
        if UPDATING:
            self._write({**self.all(), name: text})
        assert self.all().get(name) == text, f"UPDATE_SNAPSHOTS=1 writes {self._file.name} anew; then read its diff"

    def keep_only(self, names: set[str]) -> None:
        """Fail if the file has a text that no test produces any more."""
        if UPDATING:
            self._write({name: text for name, text in self.all().items() if name in names})
        assert self.all().keys() == names

    def _write(self, texts: dict[str, str]) -> None:
        self._file.write_text("\n".join(f"## {name}\n\n{texts[name]}\n" for name in sorted(texts)))


def pattern(template: str) -> re.Pattern[str]:
    """What a sentence with `{facts}` in it matches, whatever the facts are."""
    return re.compile(re.sub(r"\\\{[^}]*\\\}", r"(?s:.+)", re.escape(template)))
