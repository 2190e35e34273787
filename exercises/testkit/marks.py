"""What an author says about a test: it is a sample, it is worth so many points, what it expects may be known."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

Test = TypeVar("Test", bound=Callable[..., Any])

SAMPLE = "__gradus_sample__"
POINTS = "__gradus_points__"
PUBLIC = "__gradus_public__"


def sample(function: Test) -> Test:
    """Mark a test as one that learners see: its values, its messages, and its heat maps."""
    setattr(function, SAMPLE, True)
    return function


def points(number: int) -> Callable[[Test], Test]:
    """Say what a test is worth (each case of a parametrized one); without it, 1."""
    if type(number) is not int or not 0 <= number <= 1000:
        raise ValueError(f"points({number!r}): give a whole number from 0 to 1000.")

    def mark(function: Test) -> Test:
        setattr(function, POINTS, number)
        return function

    return mark


def public(reason: str) -> Callable[[Test], Test]:
    """Say why a test may compare with what the learner's process was given before; the proof prints the reason."""
    if type(reason) is not str or not reason.strip():
        raise ValueError("public() takes a reason: say why learners may know what this test expects.")

    def mark(function: Test) -> Test:
        setattr(function, PUBLIC, reason.strip())
        return function

    return mark
