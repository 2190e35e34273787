"""Properties besides values, on solutions that have or lack them."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from exercises.testkit import Failure, deterministic, expect, raises, shape_is, unchanged
from exercises.testkit.solution import LearnerError, Solution

SOURCE = """
import itertools
import numpy as np

class Thing: ...
counter = itertools.count()

def kept(x): return 2 * x
def changed(x):
    x += 1
    return x
def counted(x): return next(counter)
def nan(x): return [x * np.nan, 1, "text"]
def refuses(x): raise IndexError("past the end")
def thing(x): return Thing()
"""


@pytest.fixture
def solution() -> Solution:
    return Solution.local(SOURCE)


def test_unchanged_tells_who_changes_the_argument(solution: Solution) -> None:
    unchanged(solution.kept, np.ones(3))
    for argument in (np.ones(3), torch.ones(3)):
        with pytest.raises(Failure, match="Your code changed its arguments"):
            unchanged(solution.changed, argument)


def test_deterministic_returns_the_result_or_tells(solution: Solution) -> None:
    np.testing.assert_array_equal(deterministic(solution.kept, np.ones(3)), 2 * np.ones(3))
    assert deterministic(solution.nan, np.ones(3))[1:] == [1, "text"]
    with pytest.raises(Failure, match="Two equal calls gave different results") as caught:
        deterministic(solution.counted, 1)
    assert caught.value.kind == "not_deterministic"


def test_deterministic_cannot_compare_objects(solution: Solution) -> None:
    with pytest.raises(Failure, match="an object of class Thing"):
        deterministic(solution.thing, 1)


def test_raises_wants_one_of_the_named_errors(solution: Solution) -> None:
    assert raises(("ValueError", "IndexError"), solution.refuses, 1).message == "past the end"
    with pytest.raises(LearnerError, match="IndexError: past the end"):
        raises("ValueError", solution.refuses, 1)
    with pytest.raises(Failure, match="should have raised ValueError or IndexError here, but it returned the single"):
        raises(("ValueError", "IndexError"), solution.kept, 1)


@pytest.mark.parametrize("condition", [True, 1, np.bool_(True), torch.tensor(True)])
def test_expect_lets_what_is_true_pass(condition: object) -> None:
    expect(condition, "never told")


@pytest.mark.parametrize("condition", [False, None, np.bool_(False), torch.tensor(False)])
def test_expect_tells_the_authors_sentence(condition: object) -> None:
    with pytest.raises(Failure, match="Rows must {add up} to 1.") as caught:
        expect(condition, "Rows must {add up} to 1.")
    assert caught.value.headline == "The result does not have a property that this test asks for."


def test_a_public_sentence_is_told_of_a_hidden_test_too() -> None:
    with pytest.raises(Failure) as caught:
        expect(False, "Every row adds up to 1.", public=True)
    assert caught.value.headline == caught.value.message == "Every row adds up to 1."


def test_shape_is_returns_what_has_the_form() -> None:
    array, tensor = np.zeros((2, 3), dtype=np.float32), torch.zeros(2, 3)
    assert shape_is(array, (2, 3), dtypes=("float32",)) is array
    assert shape_is(tensor, (2, 3), kind="tensor") is tensor


@pytest.mark.parametrize(
    "actual, kind",
    [
        (None, "nothing"),
        (torch.zeros(2, 3), "kind"),
        (1.0, "kind"),
        (np.zeros((3, 2)), "shape"),
        (np.zeros((2, 3), dtype=int), "dtype"),
        (np.zeros(2**20), "shape"),
    ],
)
def test_shape_is_tells_what_is_wrong_with_the_form(actual: object, kind: str) -> None:
    with pytest.raises(Failure) as caught:
        shape_is(actual, (2, 3), dtypes=("float32", "float64"))
    assert caught.value.kind == kind
