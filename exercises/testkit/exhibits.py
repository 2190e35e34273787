"""What a test hands over to be looked at: a grid of numbers with labelled rows and columns, on which no verdict rests.

Whoever runs tests opens a stage. On a closed one, as while a submission is judged, an exhibit costs nothing and can
fail nothing; on an open one it is computed and kept. Numbers and labels may come from a hostile process, so they are
measured before they are taken.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from exercises.testkit.failures import Json
from exercises.testkit.kinds import class_of, describe, kind_of, numbers_of, rounded, shape_of
from exercises.visible import clean

MOST = 4
MAX_SIDE = 32
MAX_LABEL = 40
MAX_TEXT = 400
MAX_PROBLEM = 300
LANGUAGE = re.compile(r"[a-z]{2,3}\Z")
HIDDEN = "It exhibits something, but it is hidden, and only what sample tests exhibit is shown. Mark it @sample."


class BadExhibit(ValueError):
    """The author's slip; the message is a sentence that says what to do."""


@dataclass(slots=True)
class Stage:
    """What a test exhibits while the stage stands. `reached`: there was something, whether it was taken or not.

    `problems` are sentences for the author about what cannot be shown as it was meant.
    """

    is_open: bool
    reached: bool = False
    shown: list[dict[str, Json]] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)


_stage: ContextVar[Stage | None] = ContextVar("stage", default=None)


@contextmanager
def stage(*, is_open: bool) -> Iterator[Stage]:
    """Let what tests exhibit inside the `with` block be computed and kept if it is open, and only noticed if not."""
    token = _stage.set(standing := Stage(is_open))
    try:
        yield standing
    finally:
        _stage.reset(token)


def exhibit(
    title: str,
    grid: Callable[[], Any],
    *,
    rows: Sequence[str],
    columns: Sequence[str],
    caption: str,
    text: str = "",
    language: str = "",
) -> None:
    """Show learners a sample test's `grid`: len(rows) × len(columns) numbers, which a page draws as a heat map.

    `grid` is called after the verdict, in a run of its own, so it may ask the solution for more than the test does; a
    grid that cannot be had leaves `title` and `text` alone. `caption` says what rows and columns are. `text` and `rows`
    are in `language`, as "hi", if that is not the page's.
    """
    standing = _stage.get()
    if standing is None:
        return
    standing.reached = True
    if not standing.is_open:
        return
    try:
        facts = _facts(title, caption, text, language, rows, columns)
        if len(standing.shown) == MOST:
            raise BadExhibit(f"A test may exhibit {MOST} things; leave out “{clean(title, MAX_LABEL)}”.")
        if not callable(grid):
            raise BadExhibit("exhibit takes a function that returns the grid. Write `lambda:` before it.")
    except BadExhibit as error:
        standing.problems.append(str(error))
        raise
    standing.shown.append(facts)
    try:
        facts["grid"] = _grid(grid(), (len(rows), len(columns)))
    except Exception as error:  # noqa: BLE001 - whatever a learner's code raised or returned, there is only no grid
        standing.problems.append(clean(f"“{title}” has no grid: {type(error).__name__}: {error}", MAX_PROBLEM))


def _facts(
    title: object, caption: object, text: object, language: object, rows: object, columns: object
) -> dict[str, Json]:
    for name, value in (("title", title), ("caption", caption)):
        if type(value) is not str or not 0 < len(value) <= MAX_TEXT:
            raise BadExhibit(f"The {name} of an exhibit must be a text of 1 to {MAX_TEXT} characters.")
    if type(text) is not str:
        raise BadExhibit(f"The text of an exhibit must be a text, not {describe(text)}.")
    if type(language) is not str or (language and not LANGUAGE.match(language)):
        raise BadExhibit("The language of an exhibit must be two or three small letters, as “hi”.")
    return {
        "title": title,
        "caption": caption,
        "text": clean(text, MAX_TEXT),
        "language": language,
        "rows": _labels("rows", rows),
        "columns": _labels("columns", columns),
        "grid": None,
    }


def _labels(name: str, labels: object) -> list[str]:
    if not isinstance(labels, (list, tuple)) or not 1 <= len(labels) <= MAX_SIDE:
        raise BadExhibit(f"The {name} of an exhibit must be a list of 1 to {MAX_SIDE} labels.")
    if not all(type(label) is str for label in labels):
        raise BadExhibit(f"The {name} of an exhibit must be labelled by texts.")
    return [clean(label, MAX_LABEL) for label in labels]


def _grid(value: Any, shape: tuple[int, int]) -> list[list[float | None]]:
    """The numbers with four digits, and None for what is not finite; raise ValueError for anything but a grid."""
    if kind_of(value) not in ("array", "tensor") or class_of(value) not in ("bool", "int", "float"):
        raise ValueError(f"an array or tensor of real numbers is asked for, not {describe(value)}.")
    if shape_of(value) != shape:
        raise ValueError(f"its shape should be {shape}, but is {shape_of(value)}.")
    with np.errstate(all="ignore"):
        numbers = numbers_of(value).astype(np.float64).tolist()
    return [[rounded(number, 4) for number in row] for row in numbers]
