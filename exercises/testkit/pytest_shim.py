"""The part of pytest that test files may use when they are graded, and a clear refusal of every other part.

Grading runs tests in a process where starting pytest would cost more than the tests. `collect` puts this object where a
test file imports pytest; a local run uses pytest itself, and both find the same tests under the same ids.
"""

from __future__ import annotations

import enum
import re
import types
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

PARAMETRIZED = "__gradus_parametrized__"
INSTEAD = {
    "raises": "Use `raises` of exercises.testkit.",
    "approx": "Use `close` of exercises.testkit.",
    "fixture": "Tests get `solution`, `reference`, `support`, `rng` and `assets`; write anything else as a function.",
    "skip": "Remove the test.",
    "fail": "Use `expect` of exercises.testkit.",
}


class CollectError(ValueError):
    """The test file cannot be used; the message is a sentence for its author."""


@dataclass(frozen=True, slots=True)
class ParameterSet:
    """The values of one case, and the id its author gave it."""

    values: Sequence[Any]
    id: str | None = None


@dataclass(frozen=True, slots=True)
class Parametrization:
    """One `parametrize` mark: names, cases, and their ids before they are joined with those of other marks."""

    names: tuple[str, ...]
    cases: tuple[ParameterSet, ...]
    ids: tuple[str, ...]


def param(*values: Any, id: str | None = None, **other: Any) -> ParameterSet:  # noqa: A002 - pytest's own name
    if other:
        raise CollectError(
            f"pytest.param(…, {next(iter(other))}=…) is not available when tests are graded. Leave it out."
        )
    if id is not None and type(id) is not str:
        raise CollectError(f"The id of pytest.param must be a text, not {id!r}.")
    return ParameterSet(values, id)


def parametrize(
    argnames: str | Sequence[str],
    argvalues: Iterable[Any],
    *,
    ids: Iterable[Any] | Callable[[Any], Any] | None = None,
    **other: Any,
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    if other:
        raise CollectError(
            f"parametrize(…, {next(iter(other))}=…) is not available when tests are graded. Leave it out."
        )
    names, single = _names(argnames)
    cases = tuple(_case(value, names, single) for value in argvalues)
    if not cases:
        raise CollectError(f"parametrize of {', '.join(names)} has no values, so its test would never run. Give some.")
    mark = Parametrization(names, cases, tuple(_unique(_ids(names, cases, ids))))

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        setattr(function, PARAMETRIZED, (*getattr(function, PARAMETRIZED, ()), mark))
        return function

    return decorate


def _names(argnames: str | Sequence[str]) -> tuple[tuple[str, ...], bool]:
    """The names, and whether each case is one bare value."""
    if not isinstance(argnames, str):
        return tuple(argnames), False
    names = tuple(name.strip() for name in argnames.split(",") if name.strip())
    return names, len(names) == 1 and not argnames.rstrip().endswith(",")


def _case(value: Any, names: tuple[str, ...], single: bool) -> ParameterSet:
    case = value if isinstance(value, ParameterSet) else ParameterSet((value,) if single else value)
    try:
        count = len(case.values)
    except TypeError:
        raise CollectError(
            f"parametrize of {', '.join(names)} needs a tuple of values for each case, not {case.values!r}."
        ) from None
    if count != len(names):
        raise CollectError(f"parametrize of {', '.join(names)} has a case with {count} values: {case.values!r}.")
    return case


def _ids(names: tuple[str, ...], cases: Sequence[ParameterSet], ids: Any) -> list[str]:
    """One id for each case by pytest's rules; not yet made unique."""
    name_of = ids if callable(ids) else None
    given = None if ids is None or name_of else list(ids)
    if given is not None and len(given) != len(cases):
        raise CollectError(f"parametrize of {', '.join(names)} has {len(cases)} cases but {len(given)} ids.")
    result = []
    for index, case in enumerate(cases):
        if case.id is not None:
            result.append(_escaped(case.id))
        elif given is not None and given[index] is not None:
            result.append(_given_id(given[index]))
        else:
            parts = (_value_id(value, name, index, name_of) for value, name in zip(case.values, names, strict=True))
            result.append("-".join(parts))
    return result


def _given_id(value: Any) -> str:
    name = _plain_id(value)
    if name is None:
        raise CollectError(f"parametrize cannot use {value!r} as an id. Give a text or a number.")
    return name


def _value_id(value: Any, name: str, index: int, name_of: Callable[[Any], Any] | None) -> str:
    if name_of is not None:
        chosen = name_of(value)
        found = None if chosen is None else _plain_id(chosen)
        if found is not None:
            return found
    too_long = isinstance(value, (str, bytes)) and len(value) > 100
    found = None if too_long else _plain_id(value)
    return f"{name}{index}" if found is None else found


def _plain_id(value: Any) -> str | None:
    match value:
        case str() | bytes():
            return _escaped(value)
        case None | float() | int() | bool() | complex():
            return str(value)
        case re.Pattern():
            return _escaped(value.pattern)
        case enum.Enum():
            return str(value)
        case _ if isinstance(getattr(value, "__name__", None), str):
            return str(value.__name__)
    return None


def _escaped(value: str | bytes) -> str:
    """ASCII alone, everything else as Python escapes it."""
    if isinstance(value, bytes):
        text = value.decode("ascii", "backslashreplace")
    else:
        text = value.encode("unicode_escape").decode("ascii")
    special = {"\t": "\\t", "\r": "\\r", "\n": "\\n"}
    return "".join(special.get(sign, sign if " " <= sign <= "~" else f"\\x{ord(sign):02x}") for sign in text)


def _unique(ids: list[str]) -> list[str]:
    """Number equal ids as pytest does: a0, a1, …, with an underscore after a digit."""
    counts, result, suffixes = Counter(ids), list(ids), defaultdict[str, int](int)
    for index, name in enumerate(ids):
        if counts[name] == 1:
            continue
        stem = f"{name}_" if name[-1:].isdigit() else name
        while f"{stem}{suffixes[name]}" in result:
            suffixes[name] += 1
        result[index] = f"{stem}{suffixes[name]}"
        suffixes[name] += 1
    return result


class _Marks:
    """`pytest.mark`, with `parametrize` alone."""

    parametrize = staticmethod(parametrize)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        raise CollectError(
            f"pytest.mark.{name} is not available when tests are graded. Use parametrize, sample or points."
        )


class _Shim(types.ModuleType):
    """Stands in for the module `pytest`."""

    def __init__(self) -> None:
        super().__init__("pytest")
        self.mark = _Marks()
        self.param = param

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        instead = INSTEAD.get(name, "Only pytest.mark.parametrize and pytest.param are.")
        raise CollectError(f"pytest.{name} is not available when tests are graded. {instead}")


pytest = _Shim()
