"""Calls that an exercise asks the learner to write themselves: found in the source, and trapped while it runs.

Both are advice, not security: a determined learner can reach any function by another road (`getattr`, a saved alias, a
C-level twin). What a verdict rests on is values; this only keeps an honest learner from skipping the exercise unawares.
"""

from __future__ import annotations

import ast
import functools
import importlib
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np


def find_forbidden(tree: ast.Module, forbidden: Sequence[str]) -> Iterator[tuple[str, int]]:
    """Yield (dotted name, line) for every use of a forbidden name, through `import … as` and `from … import`."""
    if not forbidden:
        return
    names = set(forbidden)
    aliases = dict(_aliases(tree))
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module and not node.level:
            for alias in node.names:
                if f"{node.module}.{alias.name}" in names:
                    yield f"{node.module}.{alias.name}", node.lineno
        elif isinstance(node, (ast.Attribute, ast.Name)):
            dotted = _resolve(node, aliases)
            if dotted in names:
                yield dotted, node.lineno


def _aliases(tree: ast.Module) -> Iterator[tuple[str, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield (alias.asname, alias.name) if alias.asname else (alias.name.split(".")[0],) * 2
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            for alias in node.names:
                yield alias.asname or alias.name, f"{node.module}.{alias.name}"


def _resolve(node: ast.expr, aliases: dict[str, str]) -> str:
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name) or node.id not in aliases:
        return ""
    return ".".join([aliases[node.id], *reversed(parts)])


class ForbiddenCall(RuntimeError):
    """A function that this exercise asks the learner to write was called."""


def trap_forbidden(forbidden: Iterable[str]) -> Callable[[], None]:
    """Replace each forbidden function by one that raises `ForbiddenCall`; return what puts them back."""
    replaced: list[tuple[Any, str, Any]] = []
    for dotted in forbidden:
        owner, name = _owner(dotted)
        original = getattr(owner, name)
        replaced.append((owner, name, original))
        setattr(owner, name, _trap(dotted, original, of_a_class=isinstance(owner, type)))

    def restore() -> None:
        while replaced:
            owner, name, original = replaced.pop()
            setattr(owner, name, original)

    return restore


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
    try:
        return functools.wraps(original)(forbidden)
    except (AttributeError, TypeError):
        return forbidden
