"""A notebook's code cells, as Python: what a learner may choose from when a notebook is handed in for a file."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

MOST_CELLS = 500
_COMMAND = re.compile(r"^(\s*)(?:[%!?]|[\w.,\s]+=\s*[%!]|.*\?\s*$|.*\bget_ipython\(\))")
_OF_PYTHON = ("capture", "time", "timeit", "prun")
"""What may stand in a cell's first line, after `%%`, and leaves the rest of it Python."""
_DEFINING = (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Assign, ast.AnnAssign)


@dataclass(frozen=True, slots=True)
class Cell:
    """`chosen`: it only imports, defines and assigns, so it belongs to a solution."""

    source: str
    chosen: bool


def cells_of(text: str) -> list[Cell] | None:
    """The code cells that are not empty, commands of the notebook in comments; None if this is no notebook."""
    if not text.lstrip().startswith("{"):
        return None
    try:
        notebook = json.loads(text)
    except (ValueError, RecursionError):
        return None
    cells = notebook.get("cells")
    if "nbformat" not in notebook or type(cells) is not list:
        return None
    sources = (_source(cell) for cell in cells[:MOST_CELLS] if type(cell) is dict and cell.get("cell_type") == "code")
    return [_cell(source) for source in sources if source.strip()]


def joined(sources: Sequence[str], chosen: Iterable[int]) -> str:
    """The chosen cells, by number, as one file."""
    wanted = set(chosen)
    return "\n\n".join(source.strip("\n") for number, source in enumerate(sources) if number in wanted) + "\n"


def _source(cell: dict[str, object]) -> str:
    source = cell.get("source")
    lines = source if isinstance(source, list) else [source]
    return "".join(line for line in lines if isinstance(line, str)).replace("\r\n", "\n")


def _cell(source: str) -> Cell:
    tree = _parsed(source)
    if tree is None:
        source = _without_commands(source)
        tree = _parsed(source)
    return Cell(source, tree is not None and bool(tree.body) and all(map(_defines, tree.body)))


def _parsed(source: str) -> ast.Module | None:
    try:
        return ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _without_commands(source: str) -> str:
    lines = source.split("\n")
    if lines[0].startswith("%%"):
        name = lines[0].removeprefix("%%").partition(" ")[0]
        if name not in _OF_PYTHON:
            return "\n".join(f"# {line}" for line in lines)
    return "\n".join(map(_without_command, lines))


def _without_command(line: str) -> str:
    found = _COMMAND.match(line)
    if found is None:
        return line
    indent = found.group(1)
    # An indented command may be all there is in its block.
    return f"{indent}pass  # {line.strip()}" if indent else f"# {line}"


def _defines(node: ast.stmt) -> bool:
    docstring = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    return docstring or isinstance(node, _DEFINING)
