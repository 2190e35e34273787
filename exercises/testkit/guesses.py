"""What may have gone wrong: transformations that would explain a wrong shape or wrong values.

A guess is made only when it explains the whole result, so that it helps more often than it misleads.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import permutations

import numpy as np

from exercises.testkit.kinds import Array

Matches = Callable[[Array, Array], bool]
Shape = tuple[int, ...]

MOST_VALUES = 300_000  # beyond, trying every guess would cost more than the comparison itself
MOST_AXES_TO_PERMUTE = 4


@dataclass(frozen=True, slots=True)
class Guess:
    """`name` is for programs, `advice` is the sentence a learner reads."""

    name: str
    advice: str


def only_shape(shape: Shape) -> Array:
    """An array of this shape without numbers to look at: strided to nothing, so that a large one costs no memory."""
    return np.broadcast_to(np.float64(np.nan), shape)


def guess_shape(actual: Array, expected: Array, matches: Matches) -> Guess:
    """Explain a wrong shape. There is always something to say about it."""
    got, asked = actual.shape, expected.shape
    if len(got) == len(asked):
        return _permuted(actual, expected, matches) or _one_axis(got, asked) or _same_size(got, asked)
    if _without_ones(got) == _without_ones(asked):
        return _axis_of_one(got, asked)
    if asked[1:] == got:
        batch = " (the batch)" if len(asked) > 2 else ""
        return Guess("missing_batch", f"The first axis, of length {asked[0]}{batch}, is missing.")
    if got[1:] == asked:
        return Guess("extra_axis", f"There is one axis too many in front, of length {got[0]}.")
    return _same_size(got, asked)


def _permuted(actual: Array, expected: Array, matches: Matches) -> Guess | None:
    """Axes in another order; named where it is the only one that fits, or makes every value right."""
    got, asked = actual.shape, expected.shape
    if sorted(got) != sorted(asked) or len(got) > MOST_AXES_TO_PERMUTE:
        return None
    fitting = [order for order in _orders(len(got)) if tuple(got[axis] for axis in order) == asked]
    right = [order for order in fitting if actual.size <= MOST_VALUES and matches(actual.transpose(order), expected)]
    then = " Then every value is right." if right else ""
    if len(got) == 2:
        return Guess("transposed", f"It looks transposed: swap the two axes.{then}")
    if len(fitting) > 1 and not right:
        return Guess("permuted", "The axes look permuted. Think what each axis stands for: more than one order fits.")
    order = (right or fitting)[0]
    if order == _last_two_swapped(len(order)):
        return Guess("transposed", f"The last two axes look swapped.{then}")
    return Guess(
        "permuted",
        f"The axes look permuted: `.transpose{order}` (numpy) or `.permute{order}` (torch) puts them right.{then}",
    )


def _orders(axes: int) -> list[tuple[int, ...]]:
    """Every order of the axes but the present one, the swap of the last two first, then other swaps."""
    identity = tuple(range(axes))
    orders = [order for order in permutations(range(axes)) if order != identity]
    return sorted(
        orders,
        key=lambda order: (order != _last_two_swapped(axes), sum(a != b for a, b in zip(order, identity, strict=True))),
    )


def _last_two_swapped(axes: int) -> tuple[int, ...]:
    return (*range(axes - 2), axes - 1, axes - 2)


def _one_axis(got: Shape, asked: Shape) -> Guess | None:
    different = [axis for axis in range(len(got)) if got[axis] != asked[axis]]
    if len(different) != 1:
        return None
    axis = different[0]
    where = f"axis {axis} (the {_line_name(axis, len(got), plural=True)})" if len(got) == 2 else f"axis {axis}"
    difference = got[axis] - asked[axis]
    if abs(difference) == 1:
        count = "one too many" if difference > 0 else "one too few"
        return Guess(
            "one_off", f"Only {where} differs, by {count}. If you count with a range, check where it begins and ends."
        )
    return Guess("one_axis", f"Only {where} differs: {asked[axis]} are asked for, you have {got[axis]}.")


def _axis_of_one(got: Shape, asked: Shape) -> Guess:
    if asked == (1, *got) and 1 not in got:  # else it may be any of them
        return Guess("missing_batch", "The batch axis in front is missing: keep it even when its length is 1.")
    if len(got) < len(asked):
        return Guess("squeezed", "An axis of length 1 was squeezed away: keep it (`keepdims=True`, or no `squeeze`).")
    return Guess("extra_axis", "There is an axis of length 1 too many: remove it (`squeeze`, or index it with 0).")


def _same_size(got: Shape, asked: Shape) -> Guess:
    if np.prod(got, dtype=object) == np.prod(asked, dtype=object):
        return Guess("reshape", "The number of values is right: a `reshape` or `transpose` is missing or goes wrong.")
    if len(got) != len(asked):
        return Guess("axes", f"It should have {_count(len(asked))}; yours has {_count(len(got))}.")
    return Guess("lengths", "Several axes have another length than asked for.")


def _count(axes: int) -> str:
    return f"{axes} axis" if axes == 1 else f"{axes} axes"


def _without_ones(shape: Shape) -> Shape:
    return tuple(extent for extent in shape if extent != 1)


def guess_values(actual: Array, expected: Array, matches: Matches) -> Guess | None:
    """Explain wrong values of the right shape, or None. Both arrays are finite, of one shape, in a wide dtype."""
    if not 2 <= actual.size <= MOST_VALUES or actual.dtype == np.bool_:
        return None
    with np.errstate(all="ignore"):
        return next(_explanations(actual, expected, matches), None)


def _explanations(actual: Array, expected: Array, matches: Matches) -> Iterator[Guess]:
    if _is_constant(actual) and not _is_constant(expected):
        yield Guess("constant", f"All your values are {_short(actual.flat[0])}.")
        return
    if matches(actual, -expected):
        yield Guess("sign", "Every value has the wrong sign.")
    yield from _factor(actual, expected, matches)
    yield from _transposed(actual, expected, matches)
    for axis in reversed(range(actual.ndim)):
        yield from _along(np.moveaxis(actual, axis, 0), np.moveaxis(expected, axis, 0), axis, matches)


def _factor(actual: Array, expected: Array, matches: Matches) -> Iterator[Guess]:
    if _is_constant(expected):
        return
    factor = np.vdot(expected, actual) / np.vdot(expected, expected)
    if np.isfinite(factor) and abs(factor) > 1e-6 and matches(actual, factor * expected):
        # Not what is to blame for it: a scale, an exponent counted from elsewhere, values that were not dropped.
        yield Guess("factor", f"Every value is {_factor_name(factor)} times the expected one.")


def _transposed(actual: Array, expected: Array, matches: Matches) -> Iterator[Guess]:
    if not 2 <= actual.ndim <= MOST_AXES_TO_PERMUTE:
        return
    for order in _orders(actual.ndim):
        if actual.transpose(order).shape == expected.shape and matches(actual.transpose(order), expected):
            axes = "the last two axes" if order == _last_two_swapped(actual.ndim) else "the axes"
            yield Guess("transposed", f"The values are right but {axes} are swapped: transpose.")


def _along(actual: Array, expected: Array, axis: int, matches: Matches) -> Iterator[Guess]:
    """Explanations along one axis, which was moved to the front."""
    length = len(actual)
    name, names = _line_name(axis, actual.ndim), _line_name(axis, actual.ndim, plural=True)
    if length >= 3:
        if matches(actual[:-1], expected[1:]) and not matches(actual[:-1], expected[:-1]):
            yield Guess("shifted", f"Shifted by one along axis {axis}: your {name} 0 is what {name} 1 should be.")
        if matches(actual[1:], expected[:-1]) and not matches(actual[1:], expected[1:]):
            yield Guess("shifted", f"Shifted by one along axis {axis}: your {name} 1 is what {name} 0 should be.")
        if matches(actual[::-1], expected):
            yield Guess("reversed", f"The {names} are in reverse order.")
    if length % 2 == 0 and length >= 2:
        half = length // 2
        if matches(np.concatenate((actual[half:], actual[:half])), expected):
            yield Guess("swapped_halves", f"The two halves of the {names} are swapped.")
        if matches(actual, np.concatenate((expected[::2], expected[1::2]))):
            yield Guess(
                "not_interleaved", f"You put {names} 0, 2, 4 … first and {names} 1, 3, 5 … after them: interleave them."
            )
        if matches(np.concatenate((actual[::2], actual[1::2])), expected):
            yield Guess("interleaved", f"You interleaved two halves of the {names}: put one half after the other.")
        if matches(np.stack((actual[1::2], actual[::2]), axis=1).reshape(actual.shape), expected):
            yield Guess("swapped_pairs", f"In every pair of {names} (0 and 1, 2 and 3 …) the two are swapped.")


def _line_name(axis: int, ndim: int, *, plural: bool = False) -> str:
    name = ("row", "column")[axis] if ndim == 2 else "entry"
    if not plural:
        return name
    return "entries" if name == "entry" else f"{name}s"


def _is_constant(values: Array) -> bool:
    return bool(np.all(values == values.flat[0]))


def _short(value: object) -> str:
    number = complex(value)  # type: ignore[call-overload]
    return f"{number:.6g}" if number.imag else f"{number.real:.6g}"


def _factor_name(factor: complex) -> str:
    """0.125 is "0.125 (1/8)", 2.828… is "2.82843 (√8)": the number that a learner may recognise."""
    number = complex(factor)
    text, size = _short(factor), abs(number.real)
    if abs(number.imag) > 1e-6 * abs(number) or not 1e-4 < size < 1e4:
        return text
    sign = "−" if number.real < 0 else ""
    for power, root in ((1, ""), (2, "√")):
        for value, form in ((size**power, "{}{}{}"), (size**-power, "{}1/{}{}")):
            whole = round(value)
            if 2 <= whole <= 4096 and abs(value - whole) < 2e-4 * value:
                named = form.format(sign, root, whole)
                return text if named.replace("−", "-") == text else f"{text} ({named})"
    return text
