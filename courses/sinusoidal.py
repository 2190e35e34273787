"""The sinusoidal encoding of Vaswani et al. 2017, section 3.5, for the figure that is drawn on the server.

It shows the first 8 of 512 dimensions; the script in the page, static/js/sinusoidal.js, also draws others.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

D_MODEL = 512
SHOWN = 8
POSITIONS = 50
SHADES = 16


@dataclass(frozen=True, slots=True)
class Dimension:
    """One of the dimensions shown first, at one position. Places are in the units of the drawing."""

    index: int
    value: float

    @property
    def kind(self) -> str:
        return "cos" if self.index % 2 else "sin"

    @property
    def pair(self) -> int:
        return self.index - self.index % 2

    @property
    def bar_x(self) -> int:
        return 34 + 41 * self.index

    @property
    def bar_y(self) -> float:
        return round(80 - 60 * max(self.value, 0), 2)

    @property
    def bar_height(self) -> float:
        return round(60 * abs(self.value), 2)


@dataclass(frozen=True, slots=True)
class Tile:
    x: int
    y: int
    shade: int


def value(position: int, dimension: int, d_model: int = D_MODEL) -> float:
    """PE(position, dimension): sine for even dimensions, cosine of the same angle for the odd one after."""
    angle = position / 10_000 ** ((dimension - dimension % 2) / d_model)
    return math.cos(angle) if dimension % 2 else math.sin(angle)


def rates() -> list[str]:
    """By how many radians each pair shown first turns from one position to the next, to three digits."""
    return [f"{10_000 ** (-pair / D_MODEL):.3g}" for pair in range(0, SHOWN, 2)]


def dimensions(position: int) -> list[Dimension]:
    return [Dimension(index, value(position, index)) for index in range(SHOWN)]


def tiles() -> list[Tile]:
    """The heat map: positions from left to right, dimensions from top to bottom; `shade` 0…16 stands for −1…1."""
    return [
        Tile(7 * position, 14 * index, round((value(position, index) + 1) / 2 * SHADES))
        for index in range(SHOWN)
        for position in range(POSITIONS)
    ]
