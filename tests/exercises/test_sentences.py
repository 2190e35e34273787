"""Every sentence about a value, produced by a real comparison or check, and kept word for word in sentences.md."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from exercises.testkit import (
    Failure,
    close,
    compare,
    deterministic,
    differences,
    equal,
    expect,
    guesses,
    raises,
    shape_is,
    unchanged,
)
from exercises.testkit.failures import HEADLINES, SENTENCES
from exercises.testkit.solution import Solution
from tests.snapshots import Snapshots, pattern

SNAPSHOTS = Snapshots(Path(__file__).with_name("sentences.md"))

E = np.arange(1.0, 49.0).reshape(6, 8) ** 2
SQUARE = np.arange(25.0).reshape(5, 5) ** 2
BATCH = np.arange(48.0).reshape(2, 4, 6) ** 2
HALVES = np.concatenate((E[:, ::2], E[:, 1::2]), axis=1)
NAN = np.where(np.arange(4.0) == 2, np.nan, 1.0)

SOURCE = """
import numpy as np, torch

def nothing(x): pass
def a_set(x): return {1}
def grows(x):
    x += 1
    return x
calls = []
def counts(x):
    calls.append(x)
    return float(len(calls))
def fine(x): return x

class Layer(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.w = torch.nn.Parameter(torch.ones(2, 3))
        self.b = torch.nn.Parameter(torch.ones(3))

class NoBias(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.proj = torch.nn.Linear(2, 3, bias=False)

class Unregistered(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.parts = [torch.nn.Linear(2, 3)]

class Plain: pass

class Lazy(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.proj = torch.nn.LazyLinear(3)
"""


def solution() -> Solution:
    return Solution.local(SOURCE)


def load(**state: Any) -> None:
    solution().Layer().load(state)


def pair(actual: Any, expected: Any, **keywords: Any) -> Callable[[], object]:
    return lambda: close(actual, expected, **keywords)


CASES: dict[str, Callable[[], object]] = {
    # Kinds
    "nothing": lambda: close(solution().nothing(1), 1.0),
    "unsupported": lambda: close(solution().a_set(1), 1.0),
    "unsupported, asked twice": lambda: deterministic(solution().Layer),
    "kind: tensor for array": pair(torch.zeros(2, 2), np.zeros((2, 2))),
    "kind: array for tensor": pair(np.zeros((2, 2)), torch.zeros(2, 2)),
    "kind: list for array": pair([0.0, 1.0], np.zeros(2)),
    "kind: list for tensor": pair([0.0, 1.0], torch.zeros(2)),
    "kind: tuple for array": pair((np.zeros(2), 1.0), np.zeros(2)),
    "kind: tuple for tensor": pair((torch.zeros(2), None), torch.zeros(2)),
    "kind: number for array": pair(1.5, np.zeros(2)),
    "kind: number for tensor": pair(1.5, torch.zeros(2)),
    "kind: array for number": pair(np.zeros(2), 1.5),
    "kind: a masked array": pair(np.ma.masked_array([1.0]), np.zeros(1)),
    "kind: text for number": pair("one", 1.0),
    "kind: truth for number": pair(True, 1.0),
    "kind: length of a tuple": pair((1.0, 2.0), (1.0, 2.0, 3.0)),
    "kind: a key is missing": pair({"a": 1}, {"a": 1, "b": 2}),
    "kind: a key too many": pair({"a": 1, "c": 2}, {"a": 1}),
    "kind: no dictionary": pair([1], {"a": 1}),
    "kind: within": pair((1.0, None), (1.0, 2.0)),
    "dtype: int": pair(E.astype(int), E),
    "dtype: complex": pair(E.astype(complex), E),
    "dtype: bool": pair(E > 3, E),
    "dtype: narrower than allowed": pair(E.astype(np.float32), E, dtypes=("float64",)),
    "not_finite: nan": pair(NAN, np.ones(4)),
    "not_finite: infinite": pair(np.array([[1.0, np.inf]]), np.ones((1, 2))),
    "not_finite: minus infinity": pair(np.array([-np.inf, 1.0]), np.ones(2)),
    "not_finite: where nan was asked for elsewhere": pair(NAN, np.array([np.nan, 1, 1, 1]), allow_nonfinite=True),
    "values": pair(E + np.eye(6, 8), E),
    "values: whole numbers": pair(np.array([1, 2, 3]), np.array([1, 2, 4])),
    "values: within a dictionary": pair({"q": [E, E + np.eye(6, 8)]}, {"q": [E, E]}),
    "values: of what a test computed": pair(E.sum(axis=1), np.ones(6), of="the sums of the rows"),
    "values: nothing expected": pair(np.array([1e-3, 0.0]), np.zeros(2)),
    "values: that look equal": pair(np.array([1.0, 1 + 1e-9]), np.ones(2), rtol=0, atol=0),
    "value": pair(3.0, 4.0),
    "value: text": pair("north", "south"),
    "value: truth": pair(True, False),
    "value: exactly": lambda: equal(3, 4),
    "kind: an array for a list": lambda: equal(np.ones(2), [1.0, 1.0]),
    "lacks": lambda: load(w=torch.ones(2, 3), weight=torch.ones(2), gain=torch.ones(2)),
    "lacks: biases": lambda: solution().NoBias().load({"proj.weight": torch.ones(3, 2), "proj.bias": torch.ones(3)}),
    "lacks: biases, and shapes differ": lambda: (
        solution().NoBias().load({"proj.weight": torch.ones(2, 3), "proj.bias": torch.ones(3)})
    ),
    "lacks: all": lambda: solution().Unregistered().load({"parts.0.weight": torch.ones(2)}),
    "lazy": lambda: solution().Lazy().load({"proj.weight": torch.ones(3, 2)}),
    "not_module": lambda: solution().Plain().load({"w": torch.ones(2)}),
    "extra": lambda: load(w=torch.ones(2, 3)),
    "shape: of a parameter": lambda: load(w=torch.ones(3, 2), b=torch.ones(3)),
    "mutated": lambda: unchanged(solution().grows, np.ones(2)),
    "not_deterministic": lambda: deterministic(solution().counts, 1.0),
    "not_raised": lambda: raises(("ValueError", "TypeError"), solution().fine, np.ones(2)),
    "expectation": lambda: expect(False, "Each row should add up to 1: divide by the sum of the row."),
    "expectation: public": lambda: expect(False, "A probability is never negative.", public=True),
    "expectation: nothing to compare with": pair(np.ones(2), NAN[:2] * np.nan),
    # Guesses at a wrong shape
    "shape: transposed": pair(E.T, E),
    "shape: transposed, wrong values": pair(np.zeros((8, 6)), E),
    "shape: last two axes": pair(BATCH.swapaxes(1, 2), BATCH),
    "shape: permuted": pair(BATCH.transpose(1, 2, 0), BATCH),
    "shape: permuted, in one of two ways": pair(np.zeros((4, 4, 2)), np.arange(32.0).reshape(2, 4, 4)),
    "shape: missing batch": pair(BATCH[0], BATCH),
    "shape: missing first axis": pair(E[0], E),
    "shape: missing batch of one": pair(E, E[None]),
    "shape: squeezed": pair(E[:, 0], E[:, :1]),
    "shape: an axis of one too many": pair(E[None], E),
    "shape: an axis too many": pair(np.stack([E, E]), E),
    "shape: one row too few": pair(E[:5], E),
    "shape: one column too many": pair(np.zeros((6, 9)), E),
    "shape: one axis": pair(np.zeros((2, 9, 6)), BATCH),
    "shape: one axis of a matrix": pair(np.zeros((6, 3)), E),
    "shape: reshape": pair(E.ravel(), E),
    "shape: number of axes": pair(np.zeros(3), BATCH),
    "shape: lengths": pair(np.zeros((3, 3)), E),
    "shape: asked for alone": lambda: shape_is(np.zeros((2, 3)), (3, 2)),
    # Guesses at wrong values
    "values: sign": pair(-E, E),
    "values: factor √8": pair(E * 8**0.5, E),
    "values: factor 1/8": pair(E / 8, E),
    "values: factor -3": pair(E * -3, E),
    "values: factor i": pair(E * 1j, E * (1 + 0j)),
    "values: transposed": pair(SQUARE.T, SQUARE),
    "values: axes swapped": pair(np.arange(8.0).reshape(2, 2, 2).transpose(1, 0, 2), np.arange(8.0).reshape(2, 2, 2)),
    "values: constant": pair(np.zeros_like(E), E),
    "values: shifted down": pair(np.roll(E, -1, axis=0), E),
    "values: shifted up": pair(np.roll(E, 1, axis=1), E),
    "values: swapped halves": pair(np.roll(E, 4, axis=1), E),
    "values: not interleaved": pair(HALVES, E),
    "values: interleaved": pair(E, HALVES),
    "values: swapped pairs": pair(E.reshape(6, 4, 2)[..., ::-1].reshape(6, 8), E),
    "values: reversed rows": pair(E[::-1], E),
    "values: reversed entries": pair(np.array([1.0, 2.0, 3.0, 5.0])[::-1], np.array([1.0, 2.0, 3.0, 5.0])),
}


def produced(name: str) -> Failure:
    with pytest.raises(Failure) as caught:
        CASES[name]()
    return caught.value


@pytest.mark.parametrize("name", CASES)
def test_a_sentence_is_word_for_word_what_it_was(name: str) -> None:
    failure = produced(name)
    assert failure.kind == name.split(":")[0].split(",")[0]
    SNAPSHOTS.check(name, f"{failure.message}\n\nHidden: {failure.headline}")


def test_nothing_is_kept_that_is_no_longer_said() -> None:
    SNAPSHOTS.keep_only(set(CASES))


@pytest.mark.parametrize("texts", [SENTENCES, HEADLINES], ids=["sentences", "headlines"])
def test_every_kind_is_here(texts: dict[str, str]) -> None:
    kept = [part for text in SNAPSHOTS.all().values() for part in text.split("\n\nHidden: ")]
    for kind, template in texts.items():
        assert any(pattern(template).search(text) for text in kept), kind


def templates(node: ast.AST) -> Iterator[str]:
    """Every text in a piece of code, an f-string as a template with `{}` for what is filled in."""
    for part in ast.walk(node):
        if isinstance(part, ast.JoinedStr):
            yield "".join(str(one.value) if isinstance(one, ast.Constant) else "{}" for one in part.values)
        elif isinstance(part, ast.Constant) and isinstance(part.value, str):
            yield part.value


def advices() -> Iterator[str]:
    """Every advice that the code can give: of each `Guess`, and of the functions that advise."""
    for node in ast.walk(ast.parse(inspect.getsource(guesses))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Guess":
            yield max(templates(node.args[1]), key=len)
    for function in (compare._kind_advice, compare._dtype_advice, differences._finite_advice):
        tree = ast.parse(inspect.getsource(function))
        yield from (text for text in templates(tree) if text.endswith((".", "?")) and "\n" not in text)


@pytest.mark.parametrize("advice", sorted(set(advices())))
def test_every_advice_is_here(advice: str) -> None:
    found = pattern(advice.replace("{}.", "{}")) if advice.count("{}") else pattern(advice)
    assert any(found.search(text) for text in SNAPSHOTS.all().values())


def test_the_advices_are_found_in_the_code() -> None:
    assert len(set(advices())) >= 30
