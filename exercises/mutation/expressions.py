"""Slips in expressions: operators, numbers, comparisons, indices."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from exercises.mutation.edits import Edit, Operator, Scope

_ARITHMETIC: dict[type[ast.operator], tuple[type[ast.operator], ...]] = {
    ast.Add: (ast.Sub,),
    ast.Sub: (ast.Add,),
    ast.Mult: (ast.Div,),
    ast.Div: (ast.Mult,),
    ast.FloorDiv: (ast.Div, ast.Mod),
    ast.Mod: (ast.FloorDiv,),
    ast.Pow: (ast.Mult,),
    ast.MatMult: (ast.Mult,),
    ast.BitAnd: (ast.BitOr,),
    ast.BitOr: (ast.BitAnd,),
}
_COMMUTES = (ast.Add, ast.Mult, ast.BitAnd, ast.BitOr, ast.BitXor)
_COMPARISONS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.Gt),
    ast.LtE: (ast.Lt, ast.GtE),
    ast.Gt: (ast.GtE, ast.Lt),
    ast.GtE: (ast.Gt, ast.LtE),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}
_LARGE = 100
_BLANK = ast.Name("__blank__", ast.Load())


def arithmetic(node: ast.AST, scope: Scope) -> Iterator[Edit]:
    """Another operator, exchanged operands, or one operand alone: a scale, a residual or a mask that is lost."""
    if not isinstance(node, ast.BinOp):
        return
    for other in _ARITHMETIC.get(type(node.op), ()):
        yield Edit(_name(other), ast.BinOp(node.left, other(), node.right))
    if not isinstance(node.op, _COMMUTES):
        yield Edit("swapped", ast.BinOp(node.right, node.op, node.left))
    yield Edit("left", node.left, f"`{_lost(ast.BinOp(_BLANK, node.op, node.right))}` dropped")
    yield Edit("right", node.right, f"`{_lost(ast.BinOp(node.left, node.op, _BLANK))}` dropped")


def comparison(node: ast.AST, scope: Scope) -> Iterator[Edit]:
    """Another comparison."""
    if not isinstance(node, ast.Compare):
        return
    for index, found in enumerate(node.ops):
        for other in _COMPARISONS[type(found)]:
            ops = [*node.ops[:index], other(), *node.ops[index + 1 :]]
            yield Edit(f"{_name(other)}{index or ''}", ast.Compare(node.left, ops, node.comparators))


def logic(node: ast.AST, scope: Scope) -> Iterator[Edit]:
    """`and` for `or`, one condition of several missing, a sign or a negation missing."""
    if isinstance(node, ast.BoolOp):
        yield Edit("other", ast.BoolOp(ast.Or() if isinstance(node.op, ast.And) else ast.And(), node.values))
        for index in range(len(node.values)):
            left = [*node.values[:index], *node.values[index + 1 :]]
            yield Edit(f"without{index}", left[0] if len(left) == 1 else ast.BoolOp(node.op, left))
    if isinstance(node, ast.UnaryOp) and not isinstance(node.operand, ast.Constant):
        yield Edit("dropped", node.operand)


def condition(node: ast.AST, scope: Scope) -> Iterator[Edit]:
    """A condition turned round, or one branch of two always taken."""
    if isinstance(node, ast.IfExp):
        yield Edit("negated", ast.IfExp(ast.UnaryOp(ast.Not(), node.test), node.body, node.orelse))
        yield Edit("then", node.body)
        yield Edit("else", node.orelse)
    if isinstance(node, ast.comprehension) and node.ifs:
        yield Edit("all", ast.comprehension(node.target, node.iter, [], node.is_async))


def constant(node: ast.AST, scope: Scope) -> Iterator[Edit]:
    """A number one off (a large one a tenth off), halved, zero, of the other sign; a truth value turned round."""
    value = _value(node)
    if isinstance(value, bool):
        yield Edit("other", ast.Constant(not value))
    elif isinstance(value, int | float):
        seen = {repr(value)}
        for variant, other in _numbers(value):
            if repr(other) not in seen:
                seen.add(repr(other))
                yield Edit(variant, _literal(other))


def index(node: ast.AST, scope: Scope) -> Iterator[Edit]:
    """An index left out; a bound of a slice left out, or (where it is computed) one off."""
    if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load):
        yield Edit("dropped", node.value)
    if isinstance(node, ast.Slice):
        for name in ("lower", "upper", "step"):
            bound = getattr(node, name)
            if bound is None:
                continue
            parts = {part: getattr(node, part) for part in ("lower", "upper", "step")}
            yield Edit(f"no{name}", ast.Slice(**{**parts, name: None}))
            for variant, shifted in one_off(bound):
                yield Edit(f"{name}{variant}", ast.Slice(**{**parts, name: shifted}))


def order(node: ast.AST, scope: Scope) -> Iterator[Edit]:
    """Two neighbours of a tuple or list exchanged: axes, extents, results."""
    if isinstance(node, ast.Tuple | ast.List) and isinstance(node.ctx, ast.Load):
        for first in range(len(node.elts) - 1):
            items = list(node.elts)
            items[first : first + 2] = items[first + 1], items[first]
            yield Edit(f"swapped{first or ''}", type(node)(items, node.ctx))


def name(node: ast.AST, scope: Scope) -> Iterator[Edit]:
    """The next parameter for this one, the next sub-module for this one, a transposition left out."""
    if isinstance(node, ast.Name) and node in scope.parameters:
        yield Edit("next", ast.Name(scope.parameters[node], ast.Load()))
    if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load):
        if node.attr in ("T", "mT"):
            yield Edit("dropped", node.value)
        elif node.attr in scope.siblings:
            yield Edit("next", ast.Attribute(node.value, scope.siblings[node.attr], node.ctx))


def one_off(bound: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    """One more and one less than what is computed; plain numbers are `constant`'s business."""
    if _value(bound) is None:
        yield "plus", ast.BinOp(bound, ast.Add(), ast.Constant(1))
        yield "minus", ast.BinOp(bound, ast.Sub(), ast.Constant(1))


def _value(node: ast.AST) -> object:
    """The number or truth value that the node spells, or None."""
    if isinstance(node, ast.Constant):
        return node.value
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) and isinstance(node.operand, ast.Constant):
        found = node.operand.value
        return -found if isinstance(found, int | float) else None
    return None


def _numbers(value: float) -> Iterator[tuple[str, float]]:
    whole = isinstance(value, int)
    step: float = 1 if abs(value) <= _LARGE else value // 10 if whole else value / 10
    yield "plus", value + step
    yield "minus", value - step
    yield "zero", 0 if whole else 0.0
    yield "half", value // 2 if whole else value / 2
    if value:
        yield "sign", -value


def _literal(value: float) -> ast.expr:
    # A constant below zero would be unparsed without the brackets it may need.
    return ast.UnaryOp(ast.USub(), ast.Constant(-value)) if value < 0 else ast.Constant(value)


def _lost(rest: ast.BinOp) -> str:
    """Operator and operand that are lost: "/ math.sqrt(d)"."""
    return ast.unparse(rest).replace(_BLANK.id, "").strip()


def _name(kind: type[ast.AST]) -> str:
    return kind.__name__.lower()


EXPRESSIONS: dict[str, Operator] = {
    "arithmetic": arithmetic,
    "comparison": comparison,
    "logic": logic,
    "condition": condition,
    "constant": constant,
    "index": index,
    "order": order,
    "name": name,
}
