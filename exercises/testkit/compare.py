"""Comparison that teaches: the exact form first, then the numbers, and a guess at what went wrong.

Written for values that a hostile process sent: whatever `actual` is, `close` and `equal` return or raise `Failure`.
Shapes never broadcast, subclasses are another kind, and NaN or infinity equal nothing but themselves where allowed.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from exercises.testkit.differences import finite_or_fail, values_or_fail
from exercises.testkit.failures import Failure
from exercises.testkit.guesses import MOST_VALUES, guess_shape, only_shape
from exercises.testkit.kinds import (
    CLASS_NAMES,
    Class,
    brief,
    class_of,
    describe,
    dtype_name,
    kind_of,
    numbers_of,
    plain_of,
    shape_of,
)
from exercises.testkit.tolerance import Tolerance
from exercises.testkit.witness import tell_witness

Dtypes = Sequence[str] | Literal["same"] | None

_PLAIN = (type(None), bool, int, float, str, bytes)
_USUAL = Tolerance(1e-5, 1e-8)
_chosen: ContextVar[Tolerance] = ContextVar("tolerances")


@contextmanager
def tolerances(rtol: float, atol: float) -> Iterator[None]:
    """Make these the defaults of `close` inside the `with` block."""
    with comparing(Tolerance(rtol, atol)):
        yield


@contextmanager
def comparing(tolerance: Tolerance) -> Iterator[None]:
    """Let every `close` inside the `with` block compare by `tolerance`, but for the numbers that it is given itself."""
    token = _chosen.set(tolerance)
    try:
        yield
    finally:
        _chosen.reset(token)


def close(
    actual: Any,
    expected: Any,
    rtol: float | None = None,
    atol: float | None = None,
    *,
    dtypes: Dtypes = None,
    allow_nonfinite: bool = False,
    of: str = "",
) -> None:
    """Pass when `actual` has the form of `expected` and |actual − expected| ≤ atol + rtol · |expected| everywhere.

    `expected` may be a number, an array, a tensor, or tuples, lists and dictionaries of these; a (nested) list of plain
    numbers stands for a numpy array. Floating-point values are asked for where `expected` has them, of any width unless
    `dtypes` names the allowed ones (or is "same"); whole numbers compare exactly unless a tolerance is given here.
    NaN and ±inf are failures, or with `allow_nonfinite` must stand exactly where `expected` has them.
    `of` says what is compared where the test computed it ("the sums of the rows"): its places are not the learner's.
    """
    defaults = _chosen.get(_USUAL)
    tolerance = replace(
        defaults,
        rtol=defaults.rtol if rtol is None else rtol,
        atol=defaults.atol if atol is None else atol,
        allow_nonfinite=allow_nonfinite,
        exact_integers=rtol is None and atol is None,
    )
    tell_witness(actual, expected, tolerance)
    _Comparison(tolerance, dtypes).compare(actual, expected, of)


def equal(actual: Any, expected: Any, *, dtypes: Dtypes = None) -> None:
    """Pass when `actual` is exactly `expected`: form, class of dtype, and every value. NaN equals NaN, and a list of
    numbers stands for itself."""
    exactly = Tolerance(0.0, 0.0, allow_nonfinite=True, exact_integers=True)
    tell_witness(actual, expected, exactly)
    _Comparison(exactly, dtypes, literals=False).compare(actual, expected, "")


@dataclass(frozen=True, slots=True)
class _Comparison:
    tolerance: Tolerance
    dtypes: Dtypes
    literals: bool = True  # a list of numbers stands for an array, and a whole number also for a floating-point one

    def compare(self, actual: Any, expected: Any, within: str) -> None:
        """`within` is the part of the result that is compared, "" for all of it."""
        if self._plainly_equal(actual, expected):
            return
        if actual is None and expected is not None and not within:
            raise Failure.of("nothing")
        classes: tuple[Class, ...] | None = None
        if self.literals and _is_literal(expected):
            expected = np.asarray(expected)
            classes = self._literal_classes(expected)
        match kind_of(expected):
            case "list" | "tuple":
                self._sequences(actual, expected, within)
            case "dict":
                self._dicts(actual, expected, within)
            case "array" | "tensor":
                self._numbers(actual, expected, classes or (class_of(expected),), within)
            case "number":
                self._numbers(actual, expected, classes or self._literal_classes(expected), within)
            case "truth" | "text" | "nothing":
                self._plain(actual, expected, within)
            case "other":
                raise TypeError(
                    f"The test compares with {describe(expected)}. Compare with an array, tensor or number."
                )

    def _plainly_equal(self, actual: Any, expected: Any) -> bool:
        """Spare equal plain values all that tells how two values differ: a learner may return a hundred thousand."""
        kind = type(expected)
        if type(actual) is not kind or kind not in _PLAIN or self.dtypes is not None:
            return False
        if kind is float and not math.isfinite(expected):
            same = actual == expected or (math.isnan(actual) and math.isnan(expected))
            return same and self.tolerance.allow_nonfinite
        return bool(actual == expected)

    def _literal_classes(self, expected: Any) -> tuple[Class, ...]:
        """What may stand where the author wrote plain numbers: 1 is a fine way to write 1.0."""
        found = class_of(expected)
        if found == "int":
            return ("int", "float") if self.literals else ("int",)
        return ("float", "int") if found == "float" and kind_of(expected) == "number" else (found,)

    def _sequences(self, actual: Any, expected: Any, within: str) -> None:
        kind = kind_of(expected)
        if kind_of(actual) != kind or len(actual) != len(expected):
            raise _kind_failure(actual, f"a {kind} of {len(expected)} value{'' if len(expected) == 1 else 's'}", within)
        for index, (item, wanted) in enumerate(zip(actual, expected, strict=True)):
            self.compare(item, wanted, f"{within or 'result'}[{index}]")

    def _dicts(self, actual: Any, expected: dict[Any, Any], within: str) -> None:
        if kind_of(actual) != "dict":
            raise _kind_failure(actual, "a dictionary", within)
        differences = {
            "lacks": [key for key in expected if key not in actual],
            "also has": [key for key in actual if key not in expected],
        }
        for difference, keys in differences.items():
            if keys:
                got = f"a dictionary that {difference} the key {brief(keys[0])}"
                raise Failure.of("kind", got=got, expected=f"one with {_keys(expected)}", within=within)
        for key, wanted in expected.items():
            self.compare(actual[key], wanted, f"{within or 'result'}[{brief(key)}]")

    def _plain(self, actual: Any, expected: Any, within: str) -> None:
        """Truth values, texts and None are equal or not."""
        same_kind = kind_of(actual) == kind_of(expected) and (type(actual) is bytes) == (type(expected) is bytes)
        if not same_kind:
            raise _kind_failure(actual, describe(expected), within)
        if actual != expected:
            raise Failure.of("value", expected=brief(expected), got=brief(actual), within=within)

    def _numbers(self, actual: Any, expected: Any, classes: tuple[Class, ...], within: str) -> None:
        check_kind(actual, expected, within)
        if class_of(actual) == "other":
            raise Failure.of("dtype", expected=CLASS_NAMES[classes[0]], got=brief(dtype_name(actual)), within=within)
        tolerance = self.tolerance
        if tolerance.exact_integers and class_of(actual) == class_of(expected) == "int":
            tolerance = replace(tolerance, rtol=0.0, atol=0.0)
        if shape_of(actual) != shape_of(expected):
            raise _shape_failure(actual, expected, tolerance, within)
        self._check_dtype(actual, expected, classes, within)
        if (
            type(actual) is int
            and type(expected) is int
            and actual != expected
            and tolerance.rtol == tolerance.atol == 0
        ):
            raise Failure.of("value", expected=brief(expected), got=brief(actual), within=within)
        got, wanted = plain_of(actual), plain_of(expected)
        finite_or_fail(got, wanted, tolerance, within)
        values_or_fail(got, wanted, tolerance, within)

    def _check_dtype(self, actual: Any, expected: Any, classes: tuple[Class, ...], within: str) -> None:
        found = class_of(actual)
        allowed = (dtype_name(expected),) if self.dtypes == "same" else self.dtypes
        if found not in classes:
            advice = _dtype_advice(found, classes)
            raise Failure.of(
                "dtype", expected=CLASS_NAMES[classes[0]], got=dtype_name(actual), advice=advice, within=within
            )
        if allowed is not None and dtype_name(actual) not in allowed:
            raise Failure.of("dtype", expected=" or ".join(allowed), got=dtype_name(actual), within=within)


def check_kind(actual: Any, expected: Any, within: str = "") -> None:
    """Raise `Failure` unless `actual` is of the kind of `expected`: array, tensor or number. Without a shape, an array
    and a number are one."""
    wanted, found = kind_of(expected), kind_of(actual)
    if actual is None and not within:
        raise Failure.of("nothing")
    if found == wanted or (found == "truth" and class_of(expected) == "bool" and not shape_of(expected)):
        return
    if wanted == "number" and found in ("array", "tensor") and not shape_of(actual):
        return
    if wanted == "array" and found == "number" and not shape_of(expected):
        return
    asked = {"array": "a numpy array", "tensor": "a torch tensor", "number": "a single number"}.get(wanted, wanted)
    raise _kind_failure(actual, asked, within)


def _kind_failure(actual: Any, asked: str, within: str) -> Failure:
    return Failure.of("kind", got=describe(actual), expected=asked, advice=_kind_advice(actual, asked), within=within)


def _kind_advice(actual: Any, asked: str) -> str:
    found = kind_of(actual)
    table = {
        ("tensor", "a numpy array"): "Compute with numpy, or convert at the end with `.detach().numpy()`.",
        ("array", "a torch tensor"): "Compute with torch: `torch.from_numpy` converts, but cuts gradients.",
        ("list", "a numpy array"): "Convert it with `np.array(...)`.",
        ("list", "a torch tensor"): "Join it with `torch.stack(...)` or `torch.cat(...)`.",
        ("tuple", "a numpy array"): "Return the array alone.",
        ("tuple", "a torch tensor"): "Return the tensor alone.",
        ("number", "a numpy array"): "Did a sum or an index take away an axis?",
        ("number", "a torch tensor"): "Leave out `.item()`.",
        ("array", "a single number"): "Return one number, for instance with `float(...)`.",
    }
    if found in ("array", "tensor") and asked.startswith("a list"):
        return "Convert it with `.tolist()`."
    if found == "other" and isinstance(actual, np.ndarray):
        return "Make it a plain one with `np.asarray(...)`."
    return table.get((found, asked), "")


def _dtype_advice(found: Class, classes: tuple[Class, ...]) -> str:
    if found == "int" and classes[0] == "float":
        return "Did a result go into an array of whole numbers, or did `//` stand for `/`?"
    if found == "complex" and classes[0] == "float":
        return "Return the real part alone: `.real`."
    return ""


def _shape_failure(actual: Any, expected: Any, tolerance: Tolerance, within: str) -> Failure:
    """The numbers are looked at only where another order of the axes may explain all of them, and they are few."""
    got, asked = shape_of(actual), shape_of(expected)
    if sorted(got) == sorted(asked) and math.prod(asked) <= MOST_VALUES:
        guess = guess_shape(numbers_of(actual), numbers_of(expected), tolerance.matches)
    else:
        guess = guess_shape(only_shape(got), only_shape(asked), tolerance.matches)
    return Failure.of(
        "shape",
        expected=list(asked),
        got=list(got),
        advice=guess.advice,
        within=within,
        extra={"guess": guess.name},
    )


def _is_literal(value: Any) -> bool:
    """A list of plain numbers, or of equally long such lists: the author's way to write an array down."""
    if type(value) is not list:
        return False
    if all(type(item) is list for item in value) and value:
        return all(_is_literal(item) for item in value) and len({_literal_shape(item) for item in value}) == 1
    return all(type(item) in (bool, int, float, complex) for item in value)


def _literal_shape(value: list[Any]) -> tuple[int, ...]:
    return (len(value), *(_literal_shape(value[0]) if value and type(value[0]) is list else ()))


def _keys(expected: dict[Any, Any]) -> str:
    names = ", ".join(brief(key) for key in list(expected)[:8])
    return f"the key{'' if len(expected) == 1 else 's'} {names}" if expected else "no keys"
