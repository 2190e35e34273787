"""Slips in statements: one left out, a condition turned round, an update that overwrites."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from exercises.mutation.edits import Edit, Operator, Scope

_LEFT_OUT = (ast.Expr, ast.Assign, ast.AugAssign, ast.If, ast.For, ast.While, ast.Return, ast.Raise, ast.Break)
_LOOP_ENDS = {ast.Break: ast.Continue, ast.Continue: ast.Break}
_UPDATES: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
}


def statement(node: ast.AST, scope: Scope) -> Iterator[Edit]:
    """A statement left out."""
    if isinstance(node, _LEFT_OUT):
        yield Edit("dropped", None)


def branch(node: ast.AST, scope: Scope) -> Iterator[Edit]:
    """A condition turned round, or always true; a loop that ends where it should go on."""
    if isinstance(node, ast.If | ast.While):
        test = ast.unparse(node.test)
        if not isinstance(node.test, ast.Compare):  # `comparison` turns those round
            turned = ast.UnaryOp(ast.Not(), node.test)
            yield Edit("negated", type(node)(turned, node.body, node.orelse), f"the condition `{test}` negated")
    if isinstance(node, ast.If):
        always = ast.If(ast.Constant(True), node.body, node.orelse)
        yield Edit("always", always, f"the condition `{test}` taken as true")
    for kind, other in _LOOP_ENDS.items():
        if isinstance(node, kind):
            yield Edit("other", other())


def update(node: ast.AST, scope: Scope) -> Iterator[Edit]:
    """`+=` that subtracts, or that forgets what was there."""
    if not isinstance(node, ast.AugAssign):
        return
    other = _UPDATES.get(type(node.op))
    if other is not None:
        yield Edit("other", ast.AugAssign(node.target, other(), node.value))
    yield Edit("overwritten", ast.Assign([node.target], node.value))


STATEMENTS: dict[str, Operator] = {"statement": statement, "branch": branch, "update": update}
