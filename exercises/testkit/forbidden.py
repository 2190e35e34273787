"""Calls that an exercise asks the learner to write themselves: found in the source, and trapped while it runs.

Both are advice, not security: a determined learner can reach any function by another road (a name that is put together
while the code runs, a saved alias, a C-level twin). What a verdict rests on is values; this only keeps an honest
learner from skipping the exercise unawares.
"""

from __future__ import annotations

import ast
import functools
import importlib
import inspect
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import numpy as np

from exercises.families import FAMILIES, is_inside, is_member, members_among
from exercises.testkit.dotted import dotted_names

_PLACES = (
    "torch",
    "torch.Tensor",
    "torch._C._nn",
    "torch.masked",
    "torch.nn",
    "torch.nn.functional",
    "torch.sparse",
    "torch.special",
)


def find_forbidden(tree: ast.Module, forbidden: Sequence[str]) -> Iterator[tuple[str, int]]:
    """Yield (dotted name, line) for every use of a forbidden name, or of a member of a forbidden family.

    Where a family is forbidden, so are the library's insides, which hold its members under other names.
    """
    if not forbidden:
        return
    families = [name for name in forbidden if name in FAMILIES]
    exact = set(forbidden)

    for dotted, line in dotted_names(tree):
        if dotted in exact or is_member(dotted, families) or (families and is_inside(dotted)):
            yield dotted, line


class ForbiddenCall(RuntimeError):
    """A function that this exercise asks the learner to write was called."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a function stands, what stands there, and what does while it is forbidden."""

    dotted: str
    owner: Any
    name: str
    original: Any
    trap: Callable[..., Any]


def trap_forbidden(forbidden: Iterable[str]) -> Callable[[], None]:
    """Replace each forbidden function by one that raises `ForbiddenCall`; return what puts them back."""
    places = [place for name in forbidden for place in MEMBERS.get(name) or (_place(name),)]
    for place in places:
        setattr(place.owner, place.name, place.trap)

    def restore() -> None:
        while places:
            place = places.pop()
            setattr(place.owner, place.name, place.original)

    return restore


@functools.cache
def _place(dotted: str) -> Place:
    """Made once for all tests: nothing is trapped yet when a name is first asked for."""
    owner, name = _owner(dotted)
    original = getattr(owner, name)
    return Place(dotted, owner, name, original, _trap(dotted, original, of_a_class=isinstance(owner, type)))


def _owner(dotted: str) -> tuple[Any, str]:
    """The object that holds the last part: `torch.nn.functional.softmax`, but also `torch.Tensor.softmax`."""
    *path, name = dotted.split(".")
    owner: Any = importlib.import_module(path[0])
    for index, part in enumerate(path[1:], start=2):
        if not hasattr(owner, part):
            importlib.import_module(".".join(path[:index]))
        owner = getattr(owner, part)
    return owner, name


def _trap(dotted: str, original: Any, *, of_a_class: bool) -> Callable[..., Any]:
    """What raises in the place of `original`.

    Methods and ufuncs are also called by the library itself, in functions that may well be allowed
    (`torch.nn.functional.softmax` calls `torch.Tensor.softmax`): from there they go on working. A function of a module
    is trapped whoever calls it, so that `torch.nn.Softmax` is no way around `torch.nn.functional.softmax`.
    """
    library = dotted.partition(".")[0]
    for_the_library = of_a_class or isinstance(original, np.ufunc)

    def forbidden(*args: object, **kwargs: object) -> object:
        caller = str(sys._getframe(1).f_globals.get("__name__"))
        if for_the_library and caller.partition(".")[0] == library:
            return original(*args, **kwargs)
        raise ForbiddenCall(f"this exercise asks you to write {dotted} yourself")

    if isinstance(original, np.ufunc):
        for name in dir(np.ufunc):
            if not name.startswith("_"):  # `reduce`, `outer`, `nin` …
                setattr(forbidden, name, getattr(original, name))
    with suppress(AttributeError, TypeError, ValueError):
        functools.update_wrapper(forbidden, original)
        del forbidden.__wrapped__  # type: ignore[attr-defined]  # it would lead to the original
        forbidden.__signature__ = inspect.signature(original)  # type: ignore[attr-defined]
    return forbidden


def _members() -> Iterator[tuple[str, tuple[Place, ...]]]:
    there = {place: dir(_owner(f"{place}.")[0]) for place in _PLACES}
    for family in FAMILIES:
        dotted = (f"{place}.{name}" for place, names in there.items() for name in members_among(family, names))
        yield family, tuple(map(_place, dotted))


MEMBERS = dict(_members())
"""Where a family's members stand for the public, and where the library's own layers call them. Found before a fork."""
