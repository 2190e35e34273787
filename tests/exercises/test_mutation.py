"""Mutants: which slips are made of which code, and that each is one program with one name."""

from __future__ import annotations

import ast

import pytest

from exercises.mutation import mutants
from exercises.package import by_slug, slugs


def made(source: str) -> dict[str, str]:
    """Mutant programs by id."""
    return {mutant.id: mutant.source for mutant in mutants(source)}


@pytest.mark.parametrize(
    "source, slips",
    [
        ("y = a / d", ["y = a * d", "y = d / a", "y = a", "y = d"]),
        ("y = a + b", ["y = a - b", "y = a", "y = b"]),
        ("y = q @ k.T", ["y = q * k.T", "y = k.T @ q", "y = q @ k", "y = q", "y = k.T"]),
        ("y = n // 2", ["y = n / 2", "y = n % 2", "y = n // 3", "y = n // 1", "y = n // 0", "y = n // -2"]),
        ("y = 10000.0", ["y = 11000.0", "y = 9000.0", "y = 0.0", "y = 5000.0", "y = -10000.0"]),
        ("y = f(x, axis=-1)", ["y = f(x, axis=0)", "y = f(x, axis=-2)", "y = f(x, axis=1)", "y = f(x)"]),
        ("y = f(x, keepdims=True)", ["y = f(x, keepdims=False)", "y = f(x)", "y = x"]),
        ("y = i <= j", ["y = i < j", "y = i >= j"]),
        ("y = a and b", ["y = a or b", "y = a", "y = b"]),
        ("y = ~mask", ["y = mask"]),
        ("y = -x", ["y = x"]),
        ("import numpy as np\ny = np.sin(x)", ["y = np.cos(x)", "y = x"]),
        ("y = x.max()", ["y = x.min()", "y = x"]),
        ("import torch\ny = torch.tril(x)", ["y = torch.triu(x)", "y = x"]),
        ("y = k.transpose(-2, -1)", ["y = k"]),
        ("y = where(m, a, b)", ["y = where(a, m, b)", "y = where(m, b, a)", "y = m"]),
        ("y = range(n)", ["y = range(n + 1)", "y = range(n - 1)", "y = range(1, n)"]),
        ("y = x[a:b]", ["y = x[:b]", "y = x[a:]", "y = x[a + 1:b]", "y = x[a:b - 1]", "y = x"]),
        ("y = [i for i in x if i]", ["y = [i for i in x]"]),
        ("y = a if c else b", ["y = a if not c else b", "y = a", "y = b"]),
        ("if c:\n    y = 2", ["if not c:\n    y = 2", "if True:\n    y = 2", "if c:\n    pass", "pass"]),
        ("x += y", ["x -= y", "x = y", "pass"]),
        ("def f(x, eps=1e-05):\n    return x", ["def f(x, eps=0.0):\n    return x"]),
        ("def f(q, k):\n    return q - k", ["    return k - k", "    return q - q", "    pass"]),
        ("return_ = (a, b)", ["return_ = (b, a)"]),
    ],
)
def test_slips_of_one_line(source: str, slips: list[str]) -> None:
    programs = list(made(source).values())
    assert [slip for slip in slips if not any(program.endswith(slip) for program in programs)] == []


def test_a_sub_module_is_mistaken_for_its_sibling() -> None:
    source = (
        "class Layer:\n"
        "    def __init__(self):\n        self.norm1 = Norm(8)\n        self.norm2 = Norm(8)\n        self.n = 3\n"
        "    def forward(self, x):\n        return self.norm1(x)\n"
    )
    assert any("return self.norm2(x)" in program for program in made(source).values())
    assert not any("return self.n(x)" in program for program in made(source).values())


def test_what_is_no_code_stays() -> None:
    source = 'from math import pi\n\ndef f(x: list[3]) -> dict[1]:\n    """2 + 2."""\n    return x\n'
    assert [program for program in made(source).values() if "[3]" not in program or "2 + 2" not in program] == []


def test_a_name_says_where_and_a_description_what() -> None:
    mutant = next(one for one in mutants("def f(a, d):\n    return a / d\n") if one.id == "arithmetic-2-11-16-left")
    assert mutant.description == "line 2: `/ d` dropped"
    assert mutant.source == "def f(a, d):\n    return a"


@pytest.mark.parametrize("slug", slugs())
def test_mutants_of_a_reference_are_programs_all_different_and_none_the_reference(slug: str) -> None:
    reference = by_slug(slug).reference
    found = mutants(reference)
    programs = [ast.unparse(ast.parse(mutant.source)) for mutant in found]
    assert len(found) > 10
    assert len({mutant.id for mutant in found}) == len(found)
    assert len(set(programs)) == len(programs)
    assert ast.unparse(ast.parse(reference)) not in programs


def test_making_them_twice_gives_the_same() -> None:
    reference = by_slug("multi-head-attention").reference
    assert mutants(reference) == mutants(reference)
