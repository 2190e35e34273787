"""When a page asks again how its submission does: soon at first, as most verdicts take a moment, then ever later."""

from __future__ import annotations

from dataclasses import dataclass

DELAYS_MS = (80, 150, 250, 400, 600, 900, 1300, 2000)
"""After each answer. To hand in takes some 70 ms, so that the first question comes about 150 ms after the click."""


@dataclass(frozen=True, slots=True)
class Poll:
    """The page has asked `asked` times."""

    asked: int = 0

    @property
    def delay_ms(self) -> int:
        """Until it asks again."""
        return DELAYS_MS[min(self.asked, len(DELAYS_MS) - 1)]

    @property
    def number(self) -> int:
        """Of the next question; it need not grow for ever."""
        return min(self.asked + 1, len(DELAYS_MS))


def read(number: str) -> Poll:
    """What a page sends with its question, or somebody else in its place."""
    return Poll(min(int(number), len(DELAYS_MS))) if number.isdecimal() and len(number) < 4 else Poll()
