"""The places of a program where a slip can be made, and the program with it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

_NOT_CODE = {"annotation", "returns", "decorator_list", "bases", "type_comment", "ctx", "op", "ops"}
_SKIPPED = (ast.Import, ast.ImportFrom, ast.JoinedStr, ast.Global, ast.Nonlocal, ast.alias)


@dataclass(frozen=True, slots=True)
class Site:
    """`node` is `parent.field`, or its item number `index` where that is a list."""

    tree: ast.Module
    parent: ast.AST
    field: str
    index: int
    node: ast.AST

    @property
    def line(self) -> int:
        """From 1, in the source."""
        return self._lines_and_columns[0]

    @property
    def place(self) -> str:
        """Line, first and last column: no two nodes have the same."""
        return "-".join(map(str, self._lines_and_columns))

    @property
    def _lines_and_columns(self) -> tuple[int, ...]:
        # A slice with bounds, a comprehension, a keyword: the nodes without a place of their own have their parts'.
        parts = [node for node in ast.walk(self.node) if isinstance(node, ast.expr | ast.stmt)]
        line, column = min((node.lineno, node.col_offset) for node in parts)
        end_line, end = max((node.end_lineno or 0, node.end_col_offset or 0) for node in parts)
        return (line, column, end) if line == end_line else (line, column, end_line, end)

    def with_replacement(self, replacement: ast.AST | None) -> str:
        """The program's text with the node replaced, or left out. The tree is as before afterwards."""
        if self.index < 0:
            return self._with(replacement)
        items: list[Any] = getattr(self.parent, self.field)
        kept = [] if replacement is None else [replacement]
        if replacement is None and len(items) == 1 and isinstance(self.node, ast.stmt):
            kept = [ast.Pass()]
        return self._with([*items[: self.index], *kept, *items[self.index + 1 :]])

    def _with(self, value: Any) -> str:
        before = getattr(self.parent, self.field)
        setattr(self.parent, self.field, value)
        try:
            return ast.unparse(ast.fix_missing_locations(self.tree))
        finally:
            setattr(self.parent, self.field, before)


def sites(tree: ast.Module) -> Iterator[Site]:
    """Every statement and expression that does something: no imports, annotations, docstrings or decorators."""
    yield from _below(tree, tree)


def _below(tree: ast.Module, parent: ast.AST) -> Iterator[Site]:
    for field, value in ast.iter_fields(parent):
        if field in _NOT_CODE:
            continue
        for index, node in enumerate(value) if isinstance(value, list) else [(-1, value)]:
            if not isinstance(node, ast.AST) or isinstance(node, _SKIPPED) or _is_docstring(node):
                continue
            yield Site(tree, parent, field, index, node)
            # A negative number is one number.
            if not (isinstance(node, ast.UnaryOp) and isinstance(node.operand, ast.Constant)):
                yield from _below(tree, node)


def _is_docstring(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
