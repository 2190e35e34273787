"""JSON that any database and any page can hold: what leaves a checker, and what a worker takes from one.

Numbers are finite and of 64 bits, texts hold neither NUL nor half a character, and nothing is nested deeply.
"""

from __future__ import annotations

import json
import math
from numbers import Integral, Real
from typing import Any

from exercises.visible import clean

MAX_DEPTH = 16
MAX_TEXT = 8_000
_INT = 1 << 63


class Unstorable(ValueError):
    """The bytes are not such JSON; the message says why."""


def plain(value: Any, depth: int = 0) -> Any:
    """The value as such JSON holds it: NaN and infinity become None, what has no place in JSON a short text."""
    if isinstance(value, str):
        return clean(value, MAX_TEXT)
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, float) and math.isfinite(value):
        return float(value)
    if isinstance(value, Integral):
        whole = int(value)
        return whole if -_INT <= whole < _INT else f"a whole number of {whole.bit_length()} bits"
    if isinstance(value, Real):
        number = float(value)
        return number if math.isfinite(number) else None
    if depth < MAX_DEPTH and isinstance(value, dict):
        return {_text_of(key, 200): plain(item, depth + 1) for key, item in value.items()}
    if depth < MAX_DEPTH and isinstance(value, (list, tuple)):
        return [plain(item, depth + 1) for item in value]
    return _text_of(value, MAX_TEXT)


def _text_of(value: object, limit: int) -> str:
    if isinstance(value, (dict, list, tuple)):
        return "…"
    try:
        return clean(str.__str__(str(value)), limit)
    except Exception:  # noqa: BLE001 - an author's class may raise whatever it likes
        return type(value).__name__


def encode(value: Any) -> bytes:
    """As JSON, made plain first if it has to be."""
    try:
        return json.dumps(value, allow_nan=False).encode()
    except (ValueError, TypeError, RecursionError):
        return json.dumps(plain(value), allow_nan=False).encode()


def decode(data: bytes, cap: int) -> Any:
    """What `encode` made; raise `Unstorable` for anything else, whoever made it."""
    if len(data) > cap:
        raise Unstorable(f"it has {len(data)} bytes, and {cap} are allowed")
    try:
        value = json.loads(data)
    except RecursionError:
        raise Unstorable("it is nested too deeply") from None
    except ValueError as error:  # also of bytes that are no text, and of numbers with too many digits
        raise Unstorable(f"it is not JSON: {error}") from None
    _check(value)
    return value


def _check(value: Any) -> None:
    """Raise `Unstorable` unless it is plain. Level by level: nothing here depends on how deep it goes."""
    level = [value]
    for _ in range(MAX_DEPTH + 2):
        below: list[Any] = []
        for one in level:
            kind = type(one)
            if kind is float:
                if not math.isfinite(one):
                    raise Unstorable("it holds a number that is not finite")
            elif kind is list:
                below += one
            elif kind is dict:
                below += one
                below += one.values()
            elif kind is int:
                if not -_INT <= one < _INT:
                    raise Unstorable("it holds a whole number of more than 64 bits")
            elif kind is str and not _is_storable(one):
                raise Unstorable("it holds a text that cannot be stored")
        if not below:
            return
        level = below
    raise Unstorable("it is nested too deeply")


def _is_storable(text: str) -> bool:
    if "\x00" in text:
        return False
    try:
        return text.isascii() or bool(text.encode())
    except UnicodeEncodeError:
        return False
