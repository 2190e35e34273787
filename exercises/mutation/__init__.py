"""Wrong programs made from a right one: every small slip in a reference that good tests must notice.

    for mutant in mutants(source):
        mutant.id            "arithmetic-7-12-17-mult": what was done, at which line and columns of `source`
        mutant.description   "line 7: `a / b` becomes `a * b`"
        mutant.source        the whole program, with this one slip

Pure `ast`: nothing is run. Ids hold as long as the line itself does.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from exercises.mutation import conditions
from exercises.mutation.calls import CALLS
from exercises.mutation.edits import Edit, Operator, Scope, scope_of
from exercises.mutation.expressions import EXPRESSIONS
from exercises.mutation.sites import Site, sites
from exercises.mutation.statements import STATEMENTS

__all__ = ["Mutant", "behind_conditions", "mutants"]

OPERATORS: dict[str, Operator] = {**EXPRESSIONS, **CALLS, **STATEMENTS}
_SHOWN = 60


@dataclass(frozen=True, slots=True)
class Mutant:
    """One wrong program. `line` is that of the source it was made from; 0 for one that changes no line."""

    id: str
    description: str
    line: int
    source: str


def mutants(source: str) -> list[Mutant]:
    """Every mutant of `source`, in order of line, none like another or like `source` itself."""
    tree = ast.parse(source)
    scope = scope_of(tree)
    seen = {ast.unparse(tree)}
    made: list[Mutant] = []
    for site in sites(tree):
        for name, edit in _edits(site, scope):
            text = site.with_replacement(edit.replacement)
            if text not in seen and _compiles(text):
                seen.add(text)
                made.append(_mutant(site, name, edit, text))
    return sorted(made, key=lambda mutant: mutant.line)


def behind_conditions(source: str, entries: Sequence[str]) -> list[tuple[Mutant, str]]:
    """`source`, with each of its entries wrong under one condition: large inputs, one dtype, one mode.

    With each comes a program that is wrong wherever tests concern that condition: if they accept it, they never do.
    """
    return [(Mutant(one.id, one.told, 0, one.program), one.gate) for one in conditions.wrong_there(source, entries)]


def _edits(site: Site, scope: Scope) -> Iterator[tuple[str, Edit]]:
    for name, operator in OPERATORS.items():
        for edit in operator(site.node, scope):
            yield name, edit


def _compiles(text: str) -> bool:
    """`return` may have left its function, or a name its scope."""
    try:
        compile(text, "mutant", "exec", dont_inherit=True)
    except (SyntaxError, ValueError):
        return False
    return True


def _mutant(site: Site, operator: str, edit: Edit, text: str) -> Mutant:
    identity = f"{operator}-{site.place}-{edit.variant}"
    return Mutant(identity, f"line {site.line}: {_told(site.node, edit)}", site.line, text)


def _told(node: ast.AST, edit: Edit) -> str:
    if edit.told:
        return edit.told
    if edit.replacement is None:
        return f"`{short(node)}` left out"
    return f"`{short(node)}` becomes `{short(edit.replacement)}`"


def short(node: ast.AST) -> str:
    """The node as one line of code that fits a report."""
    text = " ".join(ast.unparse(node).split())
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}…"
