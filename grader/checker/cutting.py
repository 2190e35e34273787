"""Cut a report to a size before it leaves the checker: the largest fields first, and no more than needed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

REPORT_BYTES = 248 << 10
"""Of the checker's part. What the worker adds (the exercise's name, versions, a hint) keeps the whole below 256 KB."""
_SMALL = 400  # bytes; fields below stay whole: they are what a page tells first
_SHORT = 200  # characters that stay of a text


@dataclass(frozen=True, slots=True)
class _Field:
    """A value in a test, as large as it is in JSON. Texts are shortened; anything else makes room altogether."""

    holder: dict[str, Any]
    key: str
    size: int
    sample: bool
    place: int

    def cut(self) -> int:
        """How many bytes that saved."""
        value = self.holder[self.key]
        self.holder[self.key] = f"{value[:_SHORT]}…" if type(value) is str else None
        return self.size - _size(self.holder[self.key])


def cut(tests: list[dict[str, Any]], size: int, cap: int = REPORT_BYTES) -> int:
    """Cut fields of the tests, which have `size` bytes in JSON with all around them; return how many are left.

    Of fields about as large, those go first that fewer people see: of hidden tests, and of later ones.
    """
    if size <= cap:
        return size
    fields = sorted(_fields(tests), key=lambda one: (-one.size.bit_length(), one.sample, -one.place))
    for one in fields:
        if size <= cap:
            break
        size -= one.cut()
    return size


def _fields(tests: list[dict[str, Any]]) -> Iterator[_Field]:
    for place, test in enumerate(tests):
        for holder in (test, test["details"], *(test["details"].get("exhibits") or ())):
            for key, value in holder.items():
                if type(value) in (str, dict, list) and key not in ("details", "exhibits"):
                    size = _size(value)
                    if size > _SMALL:
                        yield _Field(holder, key, size, test["sample"], place)


def _size(value: Any) -> int:
    return len(json.dumps(value))
