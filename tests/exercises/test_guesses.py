"""What may have gone wrong: each guess where it explains the result, and silence where nothing does."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exercises.testkit import Failure, close

RNG = np.random.default_rng(20)
E = RNG.normal(size=(6, 8))
SQUARE = RNG.normal(size=(5, 5))
BATCH = RNG.normal(size=(2, 4, 6))
CUBOID = RNG.normal(size=(2, 4, 4))
HALVES = np.concatenate((E[:, ::2], E[:, 1::2]), axis=1)


def failure(actual: Any, expected: Any) -> Failure:
    with pytest.raises(Failure) as caught:
        close(actual, expected)
    return caught.value


SQUEEZED = "An axis of length 1 was squeezed away: keep it (`keepdims=True`, or no `squeeze`)."


@pytest.mark.parametrize(
    "actual, expected, guess, advice",
    [
        (E.T, E, "transposed", "It looks transposed: swap the two axes. Then every value is right."),
        (np.zeros((8, 6)), E, "transposed", "It looks transposed: swap the two axes."),
        (BATCH.swapaxes(1, 2), BATCH, "transposed", "The last two axes look swapped. Then every value is right."),
        (BATCH.transpose(1, 2, 0), BATCH, "permuted", "`.transpose(2, 0, 1)` (numpy)"),
        (np.zeros((4, 6, 2)), BATCH, "permuted", "`.transpose(2, 0, 1)` (numpy) or `.permute(2, 0, 1)` (torch)"),
        (CUBOID.transpose(1, 2, 0), CUBOID, "permuted", "`.transpose(2, 0, 1)` (numpy)"),
        (np.zeros((4, 4, 2)), CUBOID, "permuted", "Think what each axis stands for: more than one order fits."),
        (BATCH[0], BATCH, "missing_batch", "The first axis, of length 2 (the batch), is missing."),
        (E, E[None], "missing_batch", "The batch axis in front is missing: keep it even when its length is 1."),
        (E[:1], E[None, :1], "squeezed", SQUEEZED),
        (E[:, 0], E[:, :1], "squeezed", "An axis of length 1 was squeezed away"),
        (E[None], E, "extra_axis", "There is an axis of length 1 too many"),
        (np.stack([E, E]), E, "extra_axis", "There is one axis too many in front, of length 2."),
        (E[:5], E, "one_off", "Only axis 0 (the rows) differs, by one too few"),
        (np.zeros((6, 9)), E, "one_off", "Only axis 1 (the columns) differs, by one too many"),
        (np.zeros((2, 9, 6)), BATCH, "one_axis", "Only axis 1 differs: 4 are asked for, you have 9."),
        (BATCH.reshape(2, 4, 3, 2), BATCH, "reshape", "The number of values is right: a `reshape` or `transpose`"),
        (E.ravel(), E, "reshape", "The number of values is right"),
        (np.zeros(3), BATCH, "axes", "It should have 3 axes; yours has 1 axis."),
        (np.zeros((3, 3)), E, "lengths", "Several axes have another length"),
    ],
)
def test_wrong_shapes_are_explained(actual: Any, expected: Any, guess: str, advice: str) -> None:
    found = failure(actual, expected)
    assert (found.kind, found.details["guess"]) == ("shape", guess)
    assert advice in found.message


@pytest.mark.parametrize(
    "actual, expected, guess, advice",
    [
        (-E, E, "sign", "Every value has the wrong sign."),
        (E * 8**0.5, E, "factor", "Every value is 2.82843 (√8) times the expected one"),
        (E / 8, E, "factor", "Every value is 0.125 (1/8) times the expected one."),
        (E * -3, E, "factor", "Every value is -3 times"),
        (E / 64**0.25, E, "factor", "Every value is 0.353553 (1/√8) times"),
        (E * 1j, E * (1 + 0j), "factor", "Every value is 0+1j times"),
        (SQUARE.T, SQUARE, "transposed", "The values are right but the last two axes are swapped: transpose."),
        (np.zeros_like(E), E, "constant", "All your values are 0."),
        (np.roll(E, -1, axis=0), E, "shifted", "Shifted by one along axis 0: your row 0 is what row 1 should be."),
        (np.roll(E, 1, axis=1), E, "shifted", "Shifted by one along axis 1: your column 1 is what column 0 should be."),
        (np.roll(E, 4, axis=1), E, "swapped_halves", "The two halves of the columns are swapped."),
        (HALVES, E, "not_interleaved", "You put columns 0, 2, 4 … first"),
        (E, HALVES, "interleaved", "You interleaved two halves of the columns"),
        (E.reshape(6, 4, 2)[..., ::-1].reshape(6, 8), E, "swapped_pairs", "In every pair of columns"),
        (E[::-1], E, "reversed", "The rows are in reverse order."),
        (np.array([1, 2, 3, 5])[::-1], np.array([1, 2, 3, 5]), "reversed", "The entries are in reverse order."),
    ],
)
def test_wrong_values_are_explained(actual: Any, expected: Any, guess: str, advice: str) -> None:
    found = failure(actual, expected)
    assert (found.kind, found.details.get("guess")) == ("values", guess)
    assert advice in found.message


def test_one_wrong_value_is_not_explained_away() -> None:
    for expected in (E, np.ones((4, 4)), np.eye(4), np.zeros(5)):
        actual = expected.copy()
        actual.flat[-1] += 1.0
        assert "guess" not in failure(actual, expected).details


@settings(deadline=None)
@given(st.integers(0, 2**32), st.sampled_from([(3,), (4, 4), (2, 3, 4), (8, 2)]))
def test_noise_is_not_explained(seed: int, shape: tuple[int, ...]) -> None:
    rng = np.random.default_rng(seed)
    assert "guess" not in failure(rng.normal(size=shape), rng.normal(size=shape)).details
