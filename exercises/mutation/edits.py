"""What an operator is: from one node, the slips that somebody could make there."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Edit:
    """Put `replacement` in the place of the node; None leaves a statement out. `told` says what that means."""

    variant: str
    replacement: ast.AST | None
    told: str = ""


@dataclass(frozen=True, slots=True)
class Scope:
    """What operators ask about the whole program.

    `modules` are the names of imported modules. `siblings` maps an attribute of `self` to the next one that is made by
    the same constructor (`q_proj` → `k_proj`), and the parameter node of a function to the next parameter's name.
    """

    modules: frozenset[str]
    siblings: dict[str, str]
    parameters: dict[ast.Name, str]


Operator = Callable[[ast.AST, Scope], Iterator[Edit]]


def scope_of(tree: ast.Module) -> Scope:
    """Read the program once."""
    modules = {
        (alias.asname or alias.name).split(".")[0]
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
    }
    siblings: dict[str, str] = {}
    parameters: dict[ast.Name, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            siblings |= _siblings(node)
        elif isinstance(node, ast.FunctionDef):
            parameters |= _parameters(node)
    return Scope(frozenset(modules), siblings, parameters)


def _siblings(owner: ast.ClassDef) -> dict[str, str]:
    """Attributes that equal constructors make, each with the one after it, the last with the first."""
    groups: dict[str, list[str]] = {}
    for node in ast.walk(owner):
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call):
            for target in node.targets:
                if isinstance(target, ast.Attribute):
                    groups.setdefault(ast.unparse(node.value.func), []).append(target.attr)
    return _next_in(group for group in groups.values())


def _parameters(function: ast.FunctionDef) -> dict[ast.Name, str]:
    """Where a parameter is read, the name of the next one."""
    names = [argument.arg for argument in (*function.args.posonlyargs, *function.args.args) if argument.arg != "self"]
    following = _next_in([names])
    return {
        node: following[node.id]
        for statement in function.body
        for node in ast.walk(statement)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id in following
    }


def _next_in(groups: Iterator[list[str]] | list[list[str]]) -> dict[str, str]:
    return {
        name: group[(index + 1) % len(group)] for group in groups if len(group) > 1 for index, name in enumerate(group)
    }
