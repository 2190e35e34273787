"""Slips in calls: another function, no call at all, arguments exchanged, left out or one off."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from exercises.mutation.edits import Edit, Operator, Scope
from exercises.mutation.expressions import one_off

_PAIRS = (
    "sin cos",
    "max min",
    "amax amin",
    "maximum minimum",
    "argmax argmin",
    "sum mean",
    "tril triu",
    "exp log",
    "sqrt square",
    "var std",
    "floor ceil",
    "any all",
    "zeros ones",
    "zeros_like ones_like",
    "logical_and logical_or",
    "repeat tile",
    "cumsum cumprod",
    "argsort sort",
)
_OTHERS = {
    "softmax": "log_softmax",
    "log_softmax": "softmax",
    "relu": "tanh",
    "gelu": "relu",
    "repeat_interleave": "repeat",
    "prod": "sum",
    "square": "sqrt",
    "concatenate": "stack",
    "cat": "stack",
    "eye": "ones",
    "full": "empty",
}
SWAPS = {one: other for pair in _PAIRS for one, other in (pair.split(), reversed(pair.split()))} | _OTHERS
# Exchanging their arguments changes nothing, or is no slip that a person makes.
_COMMUTE = frozenset("maximum minimum max min transpose swapaxes logaddexp isinstance range zip getattr print".split())
_COUNTS = frozenset(("range", "arange"))
# Taken away, they change how a value is held, not what it is.
_OF_STORAGE = frozenset("dtype device out copy requires_grad".split())


def function(node: ast.AST, scope: Scope) -> Iterator[Edit]:
    """A related function: sine for cosine, sum for mean, the other triangle."""
    if not isinstance(node, ast.Call):
        return
    other = SWAPS.get(_name_of(node))
    if other is None:
        return
    func: ast.expr = (
        ast.Attribute(node.func.value, other, node.func.ctx)
        if isinstance(node.func, ast.Attribute)
        else ast.Name(other, ast.Load())
    )
    yield Edit(other, ast.Call(func, node.args, node.keywords))


def call(node: ast.AST, scope: Scope) -> Iterator[Edit]:
    """f(x) becomes x: what is called is left out. x.f() becomes x."""
    if not isinstance(node, ast.Call) or _makes_an_object(node):
        return
    subject = _subject(node, scope)
    if subject is not None:
        yield Edit("dropped", subject)


def argument(node: ast.AST, scope: Scope) -> Iterator[Edit]:
    """Neighbouring arguments exchanged, a keyword left out, a count one off."""
    if not isinstance(node, ast.Call):
        return
    if _name_of(node) not in _COMMUTE:
        for first in range(len(node.args) - 1):
            args = list(node.args)
            args[first : first + 2] = args[first + 1], args[first]
            yield Edit(f"swapped{first or ''}", ast.Call(node.func, args, node.keywords))
    for keyword in node.keywords:
        if keyword.arg is not None and keyword.arg not in _OF_STORAGE:
            others = [other for other in node.keywords if other is not keyword]
            yield Edit(f"no_{keyword.arg}", ast.Call(node.func, node.args, others))
    if _name_of(node) in _COUNTS:
        yield from _counts(node)


def _counts(node: ast.Call) -> Iterator[Edit]:
    for position, bound in enumerate(node.args):
        for variant, shifted in one_off(bound):
            args = [*node.args[:position], shifted, *node.args[position + 1 :]]
            yield Edit(f"{variant}{position or ''}", ast.Call(node.func, args, node.keywords))
    if len(node.args) == 1:
        yield Edit("from_one", ast.Call(node.func, [ast.Constant(1), *node.args], node.keywords))


def _name_of(node: ast.Call) -> str:
    if isinstance(node.func, ast.Attribute):
        return node.func.attr
    return node.func.id if isinstance(node.func, ast.Name) else ""


def _makes_an_object(node: ast.Call) -> bool:
    return _name_of(node)[:1].isupper()


def _subject(node: ast.Call, scope: Scope) -> ast.expr | None:
    """What the call works on: the receiver of a method, else the first argument."""
    if isinstance(node.func, ast.Attribute):
        root = _root(node.func)
        is_method = not (isinstance(root, ast.Name) and (root.id in scope.modules or root.id == "self"))
        if is_method:
            return None if isinstance(root, ast.Call) and _name_of(root) == "super" else node.func.value
    first = node.args[0] if node.args else None
    return first.value if isinstance(first, ast.Starred) else first


def _root(node: ast.expr) -> ast.expr:
    while isinstance(node, ast.Attribute):
        node = node.value
    return node


CALLS: dict[str, Operator] = {"function": function, "call": call, "argument": argument}
