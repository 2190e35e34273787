"""The sentences that a learner reads, word for word."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

from exercises.testkit import Failure, close
from exercises.testkit.failures import HEADLINES, SENTENCES

TWO = np.array([[0.0, 1.0], [2.0, 3.0]])


@pytest.mark.parametrize(
    "actual, expected, sentence",
    [
        (None, TWO, "Your code returned None. Did you forget `return`?"),
        (
            [[0.0, 1.0], [2.0, 3.0]],
            TWO,
            "Your code returned a list of 2 values; a numpy array is asked for. Convert it with `np.array(...)`.",
        ),
        (
            torch.zeros(2, 2),
            TWO,
            "Your code returned a torch tensor of shape (2, 2); a numpy array is asked for. "
            "Compute with numpy, or convert at the end with `.detach().numpy()`.",
        ),
        (
            (TWO, 1.0),
            TWO,
            "Your code returned a tuple of 2 values (a numpy array of shape (2, 2), the single value 1); "
            "a numpy array is asked for. Return the array alone.",
        ),
        (
            TWO[0],
            TWO,
            "The shape should be (2, 2), but yours is (2,). The first axis, of length 2, is missing.",
        ),
        (
            TWO.astype(int),
            TWO,
            "The values should be floating-point numbers, but yours are int64. "
            "Did a result go into an array of whole numbers, or did `//` stand for `/`?",
        ),
        (
            TWO / np.array([1, 1]) * np.array([[1, np.nan], [1, 1]]),
            TWO,
            "Values that should be finite and are not: 1 of 4. The first is at [0, 1] (row 0, column 1): nan. "
            "NaN comes from 0/0, inf − inf, 0 · inf, or the root of a negative number.",
        ),
        (
            TWO + np.array([[0, 0], [0.5, 0]]),
            TWO,
            "1 of 4 values are wrong. The furthest off is at [1, 0] (row 1, column 0): expected 2, got 2.5. "
            "Largest absolute error: 0.5; largest relative error: 0.25.",
        ),
        (
            np.array([1.0, 1.00002]),
            np.array([1.0, 1.0]),
            "1 of 2 values are wrong. The furthest off is at [1]: expected 1, got 1.00002. "
            "Largest absolute error: 2e-05; largest relative error: 2e-05.",
        ),
        (np.array([0, 1]), np.array([0, 2]), "at [1]: expected 2, got 1"),
        (3.0, 4.0, "Expected 4, got 3."),
        ("north", "south", "Expected 'south', got 'north'."),
        (True, False, "Expected False, got True."),
        (
            {"a": 1},
            {"a": 1, "b": 2},
            "Your code returned a dictionary that lacks the key 'b'; one with the keys 'a', 'b' is asked for.",
        ),
        (
            {"a": 1, "c": 2},
            {"a": 1},
            "Your code returned a dictionary that also has the key 'c'; one with the key 'a' is asked for.",
        ),
    ],
)
def test_sentence(actual: Any, expected: Any, sentence: str) -> None:
    with pytest.raises(Failure) as caught:
        close(actual, expected)
    assert sentence in caught.value.message


def test_values_that_look_equal_get_more_digits() -> None:
    with pytest.raises(Failure, match="expected 1, got 1.000000001"):
        close(np.array([1.0, 1 + 1e-9]), np.ones(2), rtol=0, atol=0)


def test_every_kind_has_a_headline_that_needs_no_facts() -> None:
    assert HEADLINES.keys() == SENTENCES.keys()
    assert not any("{" in headline for headline in HEADLINES.values())


def test_facts_may_hold_braces() -> None:
    assert Failure.of("value", expected="{x}", got="{0}").message == "Expected {x}, got {0}."
