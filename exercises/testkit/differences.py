"""Wrong numbers in the right form: where, how many, by how much, and why perhaps.

Numbers come as narrow as they are, and are widened a block at a time: what a learner sends may have any size.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from exercises.testkit.failures import Failure, Json
from exercises.testkit.guesses import MOST_VALUES, guess_values
from exercises.testkit.kinds import Array, rounded, widened
from exercises.testkit.tolerance import Tolerance

GRID = 32  # a heat map has at most so many rows and columns


def finite_or_fail(actual: Array, expected: Array, tolerance: Tolerance, within: str) -> None:
    """Raise `Failure` where `actual` is NaN or infinite and may not be."""
    if not tolerance.allow_nonfinite and not np.all(np.isfinite(expected)):
        # `expected` may have been computed from what the learner returned; NaN must not pass by equalling NaN.
        raise Failure.of("expectation", sentence="The values to compare with are NaN or infinite.", within=within)
    bad = ~np.isfinite(actual)
    if tolerance.allow_nonfinite:
        bad &= np.isfinite(expected)
    if not np.any(bad):
        return
    index = _first(bad)
    raise Failure.of(
        "not_finite",
        wrong=int(np.count_nonzero(bad)),
        total=int(bad.size),
        where=_place(index),
        got=_text(actual[index]),
        within=within,
        advice=_finite_advice(actual),
        extra={"index": list(index), **_heatmap(actual, expected, index)},
    )


def values_or_fail(actual: Array, expected: Array, tolerance: Tolerance, within: str) -> None:
    """Raise `Failure` unless every value is within tolerance."""
    errors = _errors(actual, expected, tolerance)
    if not errors.wrong:
        return
    index = tuple(int(i) for i in np.unravel_index(errors.place, actual.shape))
    asked, got = (widened(np.asarray(numbers[index]))[()] for numbers in (expected, actual))
    expected_text, got_text = _distinct(asked, got)
    few = actual.size <= MOST_VALUES
    guess = guess_values(widened(actual), widened(expected), tolerance.matches) if few else None
    extra: dict[str, Json] = {
        "index": list(index),
        "expected": _number(asked),
        "got": _number(got),
        "max_abs": _number(errors.largest),
        "max_rel": None if errors.relative is None else _number(errors.relative),
        **({"guess": guess.name} if guess else {}),
        **_heatmap(actual, expected, index),
    }
    advice = guess.advice if guess else ""
    if not actual.shape:
        raise Failure.of("value", expected=expected_text, got=got_text, advice=advice, within=within, extra=extra)
    raise Failure.of(
        "values",
        wrong=errors.wrong,
        total=int(actual.size),
        where=_place(index),
        expected=expected_text,
        got=got_text,
        max_abs=_text(errors.largest, 3),
        max_rel="not defined" if errors.relative is None else _text(errors.relative, 3),
        advice=advice,
        within=within,
        extra=extra,
    )


@dataclass(slots=True)
class _Errors:
    """Of all wrong values: how many, where (in the flat array) and how large the largest is, and the largest relative
    error, if there is any."""

    wrong: int = 0
    place: int = 0
    largest: float = -math.inf
    relative: float | None = None


def _errors(actual: Array, expected: Array, tolerance: Tolerance) -> _Errors:
    found = _Errors()
    for start, got, asked in _blocks(actual, expected):
        right, error = tolerance.right(got, asked)
        wrong = int(right.size - np.count_nonzero(right))
        if not wrong:
            continue
        # An error that is NaN (infinity where infinity of the other sign is asked) is as far off as can be.
        size = np.where(right, -1.0, np.where(np.isnan(error), np.inf, error))
        place = int(np.argmax(size))
        with np.errstate(all="ignore"):
            largest = float(size.flat[place])
        if largest > found.largest:
            found.place, found.largest = start + place, largest
        relative = _relative(asked, size)
        if relative is not None:
            found.relative = relative if found.relative is None else max(found.relative, relative)
        found.wrong += wrong
    return found


def _blocks(actual: Array, expected: Array) -> Iterator[tuple[int, Array, Array]]:
    """(place of the first, values, values asked for), widened; all of them at once where they are few."""
    if actual.size <= MOST_VALUES:
        yield 0, widened(actual), widened(expected)
        return
    got, asked = actual.reshape(-1), expected.reshape(-1)
    for start in range(0, got.size, MOST_VALUES):
        block = slice(start, start + MOST_VALUES)
        yield start, widened(got[block]), widened(asked[block])


def _relative(expected: Array, size: Array) -> float | None:
    """Largest relative error of the wrong values (`size` ≥ 0) whose expected value is not 0."""
    with np.errstate(all="ignore"):
        wrong = (size >= 0) & (expected != 0) & np.isfinite(expected)
        if not np.any(wrong):
            return None
        return float(np.max(size[wrong] / np.abs(expected[wrong])))


def _finite_advice(actual: Array) -> str:
    if np.any(np.isnan(actual)):
        return "NaN comes from 0/0, inf − inf, 0 · inf, or the root of a negative number."
    if not np.any(np.isposinf(actual)):
        return "Minus infinity comes from a mask, from dividing by 0, or from the logarithm of 0."
    return "Infinity comes from dividing by 0, or from numbers too large, as exp makes them."


def _first(mask: Array) -> tuple[int, ...]:
    return tuple(int(i) for i in np.unravel_index(int(np.argmax(mask)), mask.shape))


def _place(index: tuple[int, ...]) -> str:
    """[3, 5] (row 3, column 5); the index as Python takes it."""
    place = f"[{', '.join(map(str, index))}]"
    return f"{place} (row {index[0]}, column {index[1]})" if len(index) == 2 else place


def _text(value: Any, digits: int = 6) -> str:
    """A number for people; whole ones in full."""
    if isinstance(value, np.bool_):
        return str(bool(value))
    if isinstance(value, np.longdouble) and np.isfinite(value):
        return (
            str(int(value))
            if abs(value) < 1e15 or (value == np.rint(value) and abs(value) < 1e20)
            else f"{value:.{digits}g}"
        )
    if isinstance(value, (complex, np.complexfloating)):
        return f"{complex(value):.{digits}g}"
    return f"{float(value):.{digits}g}"


def _distinct(expected: Any, got: Any) -> tuple[str, str]:
    """Both numbers as texts with enough digits to differ."""
    for digits in (6, 9, 12, 17):
        texts = _text(expected, digits), _text(got, digits)
        if texts[0] != texts[1]:
            break
    return texts


def _number(value: Any) -> Json:
    """A number that JSON can hold: NaN, infinities and complex numbers become texts."""
    if isinstance(value, np.bool_):
        return bool(value)
    if isinstance(value, (complex, np.complexfloating)) or not np.isfinite(value):
        return _text(value)
    if isinstance(value, np.longdouble):
        return int(value) if abs(value) < 2**53 and value == np.rint(value) else str(_text(value))
    return float(value)


def _heatmap(actual: Array, expected: Array, index: tuple[int, ...]) -> dict[str, Json]:
    """The last two axes around `index` as two grids of equal size, thinned out evenly, for a page to draw.

    `slice` are the leading indices, `rows` and `columns` say which ones are shown; a null is a value without colour.
    """
    if actual.ndim < 1:
        return {}
    lead = index[:-2] if actual.ndim >= 2 else ()
    got, asked = np.atleast_2d(actual[lead]), np.atleast_2d(expected[lead])
    rows, columns = (_thinned(length, at) for length, at in zip(got.shape, ((0, *index)[-2:]), strict=True))
    picked = np.ix_(rows, columns)
    return {
        "heatmap": {
            "expected": _grid(widened(asked[picked])),
            "got": _grid(widened(got[picked])),
            "rows": rows,
            "columns": columns,
            "slice": list(lead),
        }
    }


def _thinned(length: int, at: int) -> list[int]:
    """At most GRID of range(length), evenly spread, with `at` among them."""
    if length <= GRID:
        return list(range(length))
    picked = [round(i * (length - 1) / (GRID - 1)) for i in range(GRID)]
    nearest = min(range(GRID), key=lambda i: abs(picked[i] - at))
    picked[nearest] = at
    return picked


def _grid(values: Array) -> list[list[float | None]]:
    numbers = np.abs(values) if np.iscomplexobj(values) else values.astype(np.float64)
    return [[rounded(number, 5) for number in row] for row in numbers.tolist()]
