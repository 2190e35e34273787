"""How near is near enough, for every element."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from exercises.testkit.kinds import Array


@dataclass(frozen=True, slots=True)
class Tolerance:
    """|actual − expected| ≤ atol + rtol · |expected|, as numpy and torch have it."""

    rtol: float
    atol: float
    allow_nonfinite: bool = False
    exact_integers: bool = True

    def __post_init__(self) -> None:
        if not (0 <= self.rtol < math.inf and 0 <= self.atol < math.inf):
            raise ValueError(f"rtol and atol must be finite and not negative, not {self.rtol} and {self.atol}.")

    def right(self, actual: Array, expected: Array) -> tuple[Array, Array]:
        """Which elements are right, and how far off each is. Both arrays have one shape, in a wide dtype.

        Written as `error <= allowed`, never as `not error > allowed`: a comparison with NaN is False.
        """
        with np.errstate(all="ignore"):
            if actual.dtype == np.bool_ or expected.dtype == np.bool_:
                error = (actual != expected).astype(np.float64)
                return error == 0, error
            error = np.abs(actual - expected)
            right = (error <= self.atol + self.rtol * np.abs(expected)) & np.isfinite(error)
            if self.allow_nonfinite:
                right |= (actual == expected) | (np.isnan(actual) & np.isnan(expected))
            return right, error

    def matches(self, actual: Array, expected: Array) -> bool:
        """Every element is right."""
        return bool(np.all(self.right(actual, expected)[0]))
