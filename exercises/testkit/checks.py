"""Properties that a test asks for besides values: a shape, no mutation, no randomness, an error, any condition."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal, Protocol

import numpy as np
import torch

from exercises.testkit.compare import check_kind, equal
from exercises.testkit.failures import Failure
from exercises.testkit.guesses import guess_shape, only_shape
from exercises.testkit.kinds import describe, dtype_name, kind_of, shape_of
from exercises.testkit.solution import LearnerError

FLOATS = ("float32", "float64")


class _Watched(Protocol):
    def watched(self, *args: Any, **kwargs: Any) -> tuple[Any, bool]: ...


def shape_is(
    actual: Any,
    shape: tuple[int, ...],
    *,
    kind: Literal["array", "tensor"] = "array",
    dtypes: Sequence[str] | None = None,
) -> Any:
    """Check the form alone and return `actual`, now safe to compute with: of this kind, shape and (if given) dtype."""
    check_kind(actual, np.zeros(1) if kind == "array" else torch.zeros(1))
    found = shape_of(actual)
    if found != tuple(shape):
        guess = guess_shape(only_shape(found), only_shape(tuple(shape)), lambda actual, expected: False)
        raise Failure.of(
            "shape", expected=list(shape), got=list(found), advice=guess.advice, extra={"guess": guess.name}
        )
    if dtypes is not None and dtype_name(actual) not in dtypes:
        raise Failure.of("dtype", expected=" or ".join(dtypes), got=dtype_name(actual))
    return actual


def unchanged(call: _Watched, *args: Any, **kwargs: Any) -> Any:
    """Call, fail if the learner's code changed one of its arguments or returned nothing, and return the value."""
    value, mutated = call.watched(*args, **kwargs)
    if value is None:
        raise Failure.of("nothing")
    if mutated:
        raise Failure.of("mutated")
    return value


def deterministic(call: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """Call twice, fail unless both results are exactly equal, and return the first."""
    first, second = call(*args, **kwargs), call(*args, **kwargs)
    if kind_of(first) == "other":
        raise Failure.of("unsupported", got=describe(first))
    try:
        equal(second, first)
    except Failure as failure:
        raise Failure.of("not_deterministic", extra={"difference": failure.message}) from None
    except TypeError:
        raise Failure.of("unsupported", got=describe(first)) from None
    return first


def raises(names: str | Sequence[str], call: Callable[..., Any], *args: Any, **kwargs: Any) -> LearnerError:
    """Fail unless calling raises an exception with one of these type names; return it. Any other one passes through."""
    allowed = (names,) if isinstance(names, str) else tuple(names)
    try:
        result = call(*args, **kwargs)
    except LearnerError as error:
        if error.type_name in allowed:
            return error
        raise
    raise Failure.of("not_raised", expected=" or ".join(allowed), got=describe(result))


def expect(condition: object, sentence: str, *, public: bool = False) -> None:
    """Fail with the author's sentence unless `condition` is true. It says what should hold, and what to do.

    `public`: the sentence holds nothing that the test keeps to itself, so a learner reads it of a hidden test, too.
    """
    if not bool(condition):
        raise Failure.of("expectation", sentence=sentence, extra={"public": True} if public else None)
