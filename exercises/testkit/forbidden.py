"""Calls that an exercise asks the learner to write themselves: found in the source, and trapped while it runs.

Both are advice, not security: a determined learner can reach any function by another road (`getattr`, a saved alias, a
C-level twin). What a verdict rests on is values; this only keeps an honest learner from skipping the exercise unawares.
"""

from __future__ import annotations

import ast
import functools
import importlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any


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
        setattr(owner, name, _trap(dotted, original))

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


def _trap(dotted: str, original: Any) -> Callable[..., Any]:
    def forbidden(*args: object, **kwargs: object) -> object:
        raise ForbiddenCall(f"this exercise asks you to write {dotted} yourself")

    try:
        return functools.wraps(original)(forbidden)
    except (AttributeError, TypeError):
        return forbidden
