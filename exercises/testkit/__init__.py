"""The vocabulary of an author of tests: `from exercises.testkit import close, sample, points`."""

from exercises.testkit.checks import FLOATS, deterministic, expect, raises, shape_is, unchanged
from exercises.testkit.compare import close, equal, tolerances
from exercises.testkit.exhibits import exhibit
from exercises.testkit.failures import Failure
from exercises.testkit.marks import points, public, sample

__all__ = [
    "FLOATS",
    "Failure",
    "close",
    "deterministic",
    "equal",
    "exhibit",
    "expect",
    "points",
    "public",
    "raises",
    "sample",
    "shape_is",
    "tolerances",
    "unchanged",
]
