"""Translations that the reference once made, with its cross-attention, for the figure that is drawn on the server.

`scripts/translator/runs.py` writes the file; nothing here computes.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

FILE = Path(__file__).parent / "content" / "generative-ai" / "translations.json"
ZERO, MOST = 8, 16


@dataclass(frozen=True, slots=True)
class Look:
    """How much one Hindi word looked at one English word: `weight` in 0…1."""

    weight: float

    @property
    def percent(self) -> int:
        return round(100 * self.weight)

    @property
    def shade(self) -> int:
        return ZERO + round((MOST - ZERO) * self.weight)


@dataclass(frozen=True, slots=True)
class Word:
    """A Hindi word, its reading in Latin letters, and its looks in the order of the English words."""

    hindi: str
    roman: str
    looks: tuple[Look, ...]


@dataclass(frozen=True, slots=True)
class Run:
    """One sentence. `held_out`: training never saw it; `note` says what there is to see."""

    english: str
    held_out: bool
    note: str
    words: tuple[Word, ...]

    @property
    def hindi(self) -> str:
        return " ".join(word.hindi for word in self.words)

    @property
    def roman(self) -> str:
        return " ".join(word.roman for word in self.words)

    @property
    def columns(self) -> list[str]:
        return self.english.split()


@lru_cache(maxsize=1)
def runs() -> tuple[Run, ...]:
    """In the order in which they are offered."""
    return tuple(map(_run, json.loads(FILE.read_text("utf-8"))))


def _run(facts: dict[str, Any]) -> Run:
    parts = zip(facts["hindi"].split(), facts["roman"].split(), facts["weights"], strict=True)
    words = tuple(Word(hindi, roman, tuple(map(Look, weights))) for hindi, roman, weights in parts)
    return Run(facts["english"], facts["held_out"], facts["note"], words)
