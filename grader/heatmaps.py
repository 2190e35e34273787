"""Grids of numbers as a page draws them, with shades to colour them: expected and got side by side, as `close` noted
them of a wrong answer, and what a test exhibits.

Shades go from 0 (the most negative) over 8 (zero) to 16, on one scale for all grids of a heat map.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

WITH_NUMBERS = 8  # rows and columns up to which the numbers fit into the cells
MIDDLE = 8

Grid = Sequence[Sequence[float | None]]


@dataclass(frozen=True, slots=True)
class Cell:
    """`shade` is empty where the value is NaN or infinite. `worst`: the place that the message names."""

    shade: str
    text: str
    worst: bool


@dataclass(frozen=True, slots=True)
class Row:
    label: str
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Panel:
    title: str
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class HeatMap:
    """`columns` are the labels above the cells; `where` is the part of a larger array that is shown, as "[0, 2]".

    `numbers`: they stand in the cells. `language`: of the rows' labels, if it is not the page's.
    """

    panels: tuple[Panel, ...]
    columns: tuple[str, ...]
    where: str = ""
    numbers: bool = True
    language: str = ""


@dataclass(frozen=True, slots=True)
class Exhibit:
    """What a test hands over to be looked at; `heat` is None where there was no grid to be had."""

    title: str
    text: str
    language: str
    heat: HeatMap | None


def heat_map(details: Mapping[str, Any]) -> HeatMap | None:
    """None where a report holds no grids, or none worth drawing: a single value is told in words."""
    noted = details.get("heatmap")
    if not noted or len(noted["rows"]) * len(noted["columns"]) < 2:
        return None
    rows, columns = noted["rows"], noted["columns"]
    worst = tuple((0, *details["index"])[-2:])
    top = _top(noted["expected"], noted["got"])
    panels = (
        Panel("Expected", _rows(noted["expected"], rows, columns, top, worst)),
        Panel("Yours", _rows(noted["got"], rows, columns, top, worst)),
    )
    where = str(noted["slice"]) if noted["slice"] else ""
    return HeatMap(panels, tuple(map(str, columns)), where, max(len(rows), len(columns)) <= WITH_NUMBERS)


def exhibits(details: Mapping[str, Any]) -> tuple[Exhibit, ...]:
    """All that a test exhibited, in order."""
    return tuple(
        Exhibit(one["title"], one["text"], one["language"], _exhibited(one) if one["grid"] else None)
        for one in details.get("exhibits", ())
    )


def _exhibited(facts: Mapping[str, Any]) -> HeatMap:
    rows = _rows(facts["grid"], facts["rows"], facts["columns"], _top(facts["grid"]))
    return HeatMap((Panel(facts["caption"], rows),), tuple(facts["columns"]), language=facts["language"])


def _top(*grids: Grid) -> float:
    """The largest absolute value, or 1 where all are 0."""
    return max((abs(value) for grid in grids for row in grid for value in row if value), default=1)


def _rows(
    grid: Grid, rows: Sequence[object], columns: Sequence[object], top: float, worst: tuple[int, ...] = ()
) -> tuple[Row, ...]:
    return tuple(
        Row(
            str(row),
            tuple(_cell(value, top, (row, column) == worst) for column, value in zip(columns, values, strict=True)),
        )
        for row, values in zip(rows, grid, strict=True)
    )


def _cell(value: float | None, top: float, worst: bool) -> Cell:
    if value is None:
        return Cell("", "nan/inf", worst)
    return Cell(str(MIDDLE + round(MIDDLE * (value / top))), _text(value), worst)


def _text(value: float) -> str:
    """At most four decimals, so that columns are narrow and alike; what that would hide is told otherwise."""
    plain = value == 0 or 5e-5 <= abs(value) < 1000
    return (f"{value:.4f}".rstrip("0").rstrip(".") if plain else f"{value:.2g}").replace("-", "−")
