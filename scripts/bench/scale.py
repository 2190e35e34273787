"""How thoroughly to measure. What a small run says means nothing; that it runs at all means that a whole one will."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Scale:
    share: float

    def of(self, count: int, *, least: int = 1) -> int:
        """So many of `count`."""
        return max(least, round(self.share * count))

    @property
    def whole(self) -> bool:
        return self.share >= 1


WHOLE = Scale(1.0)
SMALL = Scale(0.001)
