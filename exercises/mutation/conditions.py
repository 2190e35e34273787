"""Second-order mutants: the reference, wrong only where a condition holds that a test may never meet.

A slip in ordinary code shows everywhere. Code that treats long sequences, one dtype or one mode differently is wrong
there alone: such a mutant survives unless the tests go there, and compare.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Condition:
    """`told` in words, `holds` in Python. It says nothing of an entry for which `concerns` holds in no test."""

    told: str
    holds: str
    concerns: str = "True"


OF_ALL: Mapping[str, Condition] = {
    "large": Condition("with more than 64 of anything", "any(size > 64 for size in sizes)"),
    "batch-of-one": Condition(
        "for a batch of one",
        "any(array.ndim > 2 and array.shape[0] == 1 for array in arrays)",
        "any(array.ndim > 2 for array in arrays)",
    ),
    "single-row": Condition(
        "for a single row or token",
        "any(array.ndim > 1 and array.shape[-2] == 1 for array in arrays)",
        "any(array.ndim > 1 for array in arrays)",
    ),
}
OF_FUNCTIONS: Mapping[str, Condition] = {
    "float64": Condition(
        "in float64",
        "any(str(array.dtype).endswith('float64') for array in arrays)",
        "any('float' in str(array.dtype) for array in arrays)",
    ),
}
OF_CLASSES: Mapping[str, Condition] = {
    "training": Condition("in training", "getattr(args[0], 'training', False)"),
    "evaluating": Condition("in evaluation", "not getattr(args[0], 'training', True)"),
}

# Appended to the reference; `{names}` are the functions, or methods as (class, name), that are wrong on the condition.
_WRONG_THERE = """

def _wrong_where(owner, name):
    right = getattr(owner, name)

    def answer(*args, **kwargs):
        arrays = list(_arrays([args, kwargs]))
        sizes = [size for array in arrays for size in array.shape]
        sizes += [value for value in [*args, *kwargs.values()] if type(value) is int]
        where = {condition}
        result = right(*args, **kwargs)
        return _changed(result) if where else result

    setattr(owner, name, answer)


def _arrays(value):
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, (list, tuple)):
        for item in value:
            yield from _arrays(item)
    elif hasattr(value, "dtype") and hasattr(value, "ndim"):
        yield value


def _changed(value):
    if isinstance(value, (list, tuple)):
        return type(value)([_changed(item) for item in value])
    if str(getattr(value, "dtype", type(value))).endswith(("bool", "bool'>")):
        return value == 0
    return value if value is None or isinstance(value, str) else value + 1


import sys as _sys

for _owner, _name in {names}:
    _wrong_where(globals()[_owner] if _owner else _sys.modules[__name__], _name)
"""


@dataclass(frozen=True, slots=True)
class WrongThere:
    """`program` is wrong where its condition holds, `gate` wherever it is concerned: who passes `gate` is not asked."""

    id: str
    told: str
    program: str
    gate: str


def wrong_there(source: str, entries: Sequence[str]) -> Iterator[WrongThere]:
    """One for each entry of `source` and each condition."""
    tree = ast.parse(source)
    for entry in entries:
        methods = _methods(tree, entry)
        names = [(entry, method) for method in methods] if methods else [("", entry)]
        for name, one in {**OF_ALL, **(OF_CLASSES if methods else OF_FUNCTIONS)}.items():
            program, gate = (
                source + _WRONG_THERE.replace("{condition}", where).replace("{names}", repr(names))
                for where in (one.holds, one.concerns)
            )
            yield WrongThere(f"behind-{name}-{entry}", f"`{entry}` is off by one {one.told}", program, gate)


def _methods(tree: ast.Module, entry: str) -> list[str]:
    """What may be called on an instance of the class `entry`; none if it is a function."""
    owner = next((node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == entry), None)
    if owner is None:
        return []
    return [node.name for node in owner.body if isinstance(node, ast.FunctionDef) and not node.name.startswith("_")]
