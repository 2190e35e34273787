"""What the names in a source stand for: the dotted name of what was imported, however it is looked up.

Follows `import … as`, `from … import`, `from … import *`, a name that is assigned once (`F = torch.nn.functional`), and
look-ups by a text that stands in the source (`getattr`, `vars`, `__dict__`, `__import__`, `importlib.import_module`,
`sys.modules`). What is put together while the code runs is not followed. Left out is what never runs: blocks under
`if __name__ == "__main__":`, annotations, and imports of names that nothing uses.
"""

from __future__ import annotations

import ast
from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import Any, TypeVar, cast

Node = TypeVar("Node", bound=ast.AST)

_DEFINITIONS: tuple[type[Any], ...] = (
    ast.FunctionDef,
    ast.AsyncFunctionDef,
    ast.ClassDef,
    ast.ExceptHandler,
    ast.MatchAs,
    ast.MatchStar,
)

_ANNOTATED = (ast.arg, ast.FunctionDef, ast.AsyncFunctionDef, ast.AnnAssign)


def dotted_names(tree: ast.Module) -> Iterator[tuple[str, int]]:
    """Every dotted name that the source imports or uses, with its line."""
    names = _Names(tree)
    yield from names.imported()
    yield from names.used()


class _Names:
    def __init__(self, tree: ast.Module) -> None:
        self._nodes: defaultdict[type[ast.AST], list[ast.AST]] = defaultdict(list)
        for node in _running(tree):
            self._nodes[type(node)].append(node)
        self._stars: list[str] = []
        self._meant: dict[str, str] = {}
        self._resolved: dict[ast.AST, str] = {}
        self._bound = Counter(self._binding())
        self._follow_imports()
        for node in self._all(ast.Assign):
            self._follow_assignment(node)
        self._resolved.clear()

    def imported(self) -> Iterator[tuple[str, int]]:
        """What is imported and used by its name in the source."""
        used = {node.id for node in self._all(ast.Name)}
        for node in self._all(ast.Import):
            names = ((alias.name, alias.asname or alias.name.partition(".")[0]) for alias in node.names)
            yield from ((dotted, node.lineno) for dotted, name in names if name in used)
        for module, brought in self._from_imports():
            names = ((f"{module}.{alias.name}", alias.asname or alias.name) for alias in brought.names)
            yield from ((dotted, brought.lineno) for dotted, name in names if name in used)

    def _from_imports(self) -> Iterator[tuple[str, ast.ImportFrom]]:
        """With the module's name; what is imported from beside the source is no library's."""
        yield from ((node.module, node) for node in self._all(ast.ImportFrom) if node.module and not node.level)

    def _all(self, kind: type[Node]) -> list[Node]:
        return cast("list[Node]", self._nodes[kind])

    def used(self) -> Iterator[tuple[str, int]]:
        kinds: tuple[type[ast.expr], ...] = (ast.Name, ast.Attribute, ast.Call, ast.Subscript)
        for node in (node for kind in kinds for node in self._all(kind)):
            dotted = self._resolve(node)
            if dotted:
                yield dotted, node.lineno
        for name in self._all(ast.Name) if self._stars else ():
            if not self._bound[name.id]:  # only a star can have brought it
                yield from ((f"{module}.{name.id}", name.lineno) for module in self._stars)

    def _binding(self) -> Iterator[str]:
        """Every name that the source binds, as often as it does."""
        yield from (node.id for node in self._all(ast.Name) if type(node.ctx) is not ast.Load)
        yield from (node.arg for node in self._all(ast.arg))
        yield from (node.asname or node.name.partition(".")[0] for node in self._all(ast.alias))
        for kind in _DEFINITIONS:
            yield from (node.name for node in self._all(kind) if node.name)

    def _follow_imports(self) -> None:
        for node in self._all(ast.Import):
            for alias in node.names:
                root = alias.name.partition(".")[0]
                self._meant[alias.asname or root] = alias.name if alias.asname else root
        for module, brought in self._from_imports():
            self._meant |= {alias.asname or alias.name: f"{module}.{alias.name}" for alias in brought.names}
            self._stars += [module for alias in brought.names if alias.name == "*"]

    def _follow_assignment(self, node: ast.Assign) -> None:
        target = node.targets[0]
        if len(node.targets) == 1 and type(target) is ast.Name and self._bound[target.id] == 1:
            meant = self._meaning(node.value)
            if meant:
                self._meant[target.id] = meant

    def _resolve(self, node: ast.AST) -> str:
        """The dotted name, or an empty text if it is none, or the source's own."""
        found = self._resolved.get(node)
        if found is None:
            found = self._resolved[node] = self._meaning(node)
        return found

    def _meaning(self, node: ast.AST) -> str:
        if isinstance(node, ast.Name):
            return self._meant.get(node.id, "")
        if isinstance(node, ast.Attribute):
            return _joined(self._resolve(node.value), node.attr)
        if isinstance(node, ast.Call) and node.args:
            return self._called(node.func, node.args[0], node.args[1:])
        return self._looked_up(node.value, node.slice) if isinstance(node, ast.Subscript) else ""

    def _called(self, function: ast.expr, first: ast.expr, rest: list[ast.expr]) -> str:
        name = function.id if isinstance(function, ast.Name) else ""
        if name == "getattr" and rest:
            return _joined(self._resolve(first), _text(rest[0]))
        if name == "__import__":
            return _text(first) if len(rest) > 2 else _text(first).partition(".")[0]  # with a list of names, or without
        return _text(first) if self._resolve(function) == "importlib.import_module" else ""

    def _looked_up(self, value: ast.expr, key: ast.expr) -> str:
        if isinstance(value, ast.Attribute) and value.attr == "__dict__":
            return _joined(self._resolve(value.value), _text(key))
        if isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id == "vars" and value.args:
            return _joined(self._resolve(value.args[0]), _text(key))
        return _text(key) if self._resolve(value) == "sys.modules" else ""


def _running(node: ast.AST) -> Iterator[ast.AST]:
    """`node` and all below it that may run when the source is imported or its functions are called."""
    yield node
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns") and type(node) in _ANNOTATED:
            continue
        if name == "body" and isinstance(node, ast.If) and _is_main(node.test):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST):
                yield from _running(child)


def _is_main(test: ast.expr) -> bool:
    sides = [test.left, *test.comparators] if isinstance(test, ast.Compare) else []
    texts = {side.value for side in sides if isinstance(side, ast.Constant)}
    names = {side.id for side in sides if isinstance(side, ast.Name)}
    is_equal = isinstance(test, ast.Compare) and [type(one) for one in test.ops] == [ast.Eq]
    return is_equal and texts == {"__main__"} and names == {"__name__"}


def _text(node: ast.expr) -> str:
    """The text that stands in the source, be it in pieces, or an empty one."""
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else ""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        pieces = _text(node.left), _text(node.right)
        return "".join(pieces) if all(pieces) else ""
    return ""


def _joined(owner: str, name: str) -> str:
    return f"{owner}.{name}" if owner and name else ""
