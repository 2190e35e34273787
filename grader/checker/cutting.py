"""Cut a report to a size before it leaves the checker: the largest fields first, and no more than needed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

REPORT_BYTES = 248 << 10
"""Of the checker's part. What the worker adds (the exercise's name, versions, a hint) keeps the whole below 256 KB."""
# (bytes, characters): fields below stay whole, and so much stays of a text. What a page tells first goes last.
_ROUNDS = ((400, 200), (160, 40))
_BARE = 250  # bytes of a test beside its name and its title
_MOST_OF_A_CHARACTER = 12  # bytes in JSON: two escapes
_AROUND = 16 << 10  # for all that stands in a report beside its tests
_KEPT = ("name", "title", "outcome", "details", "exhibits")


@dataclass(frozen=True, slots=True)
class _Field:
    """A value in a test, as large as it is in JSON. Texts are shortened; anything else makes room altogether."""

    holder: dict[str, Any]
    key: str
    size: int
    sample: bool
    place: int

    def cut(self, short: int) -> int:
        """How many bytes that saved."""
        value = self.holder[self.key]
        less = f"{value[:short]}…" if type(value) is str else None
        saved = self.size - _size(less)
        if saved > 0:
            self.holder[self.key] = less
        return max(0, saved)


def cut(tests: list[dict[str, Any]], size: int, cap: int = REPORT_BYTES) -> int:
    """Cut fields of the tests, which have `size` bytes in JSON with all around them; return how many are left.

    Of fields about as large, those go first that fewer people see: of hidden tests, and of later ones.
    """
    for small, short in _ROUNDS:
        fields = (one for one in _fields(tests) if one.size > small)
        for one in sorted(fields, key=lambda one: (-one.size.bit_length(), one.sample, -one.place)):
            if size <= cap:
                return size
            size -= one.cut(short)
    for test in reversed(tests):
        if size <= cap:
            break
        size -= _size(test)
        test["message"], test["details"] = "", {}
        size += _size(test)
    return size


def too_many(tests: list[dict[str, Any]]) -> bool:
    """Whether their names alone are too much: as true of a right submission as of whatever a learner sends."""
    if sum(_BARE + _MOST_OF_A_CHARACTER * len(test["name"] + test["title"]) for test in tests) < REPORT_BYTES - _AROUND:
        return False
    bare = ({**test, "outcome": "invalid_submission", "message": "", "details": {}} for test in tests)
    return sum(_size(test) + 2 for test in bare) > REPORT_BYTES - _AROUND


def _fields(tests: list[dict[str, Any]]) -> Iterator[_Field]:
    for place, test in enumerate(tests):
        for holder in (test, test["details"], *(test["details"].get("exhibits") or ())):
            for key, value in holder.items():
                if type(value) in (str, dict, list) and key not in _KEPT:
                    yield _Field(holder, key, _size(value), test["sample"], place)


def _size(value: Any) -> int:
    return len(json.dumps(value))
