"""When two replies say the same, as far as naming a mistake goes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

from exercises.testkit.values import DEFAULT_CAP, encode
from grader.checker.diagnosis import same_reply


def same(ours: Any, theirs: Any) -> bool:
    return same_reply(encode(ours), encode(theirs), DEFAULT_CAP)


ONES = np.ones((2, 3))


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (ONES, ONES * (1 + 1e-6)),
        (ONES, ONES.astype(np.float32)),
        (np.array([1.0, np.nan]), np.array([1.0, np.nan])),
        ([1.0, "a", None], [1.0 + 1e-9, "a", None]),
        ({"a": torch.ones(2)}, {"a": torch.ones(2, dtype=torch.float64)}),
    ],
)
def test_rounding_and_the_width_of_a_dtype_make_no_other_answer(ours: Any, theirs: Any) -> None:
    assert same({"value": ours}, {"value": theirs})


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (ONES, ONES * 1.01),
        (ONES, ONES.T),
        (np.ones(1), np.ones(3)),
        (ONES, torch.ones(2, 3)),
        (np.array([1.0, np.nan]), np.array([1.0, 0.0])),
        ([1.0], (1.0,)),
        ([1.0], [1.0, 1.0]),
        ({"a": 1}, {"b": 1}),
        (None, 0),
    ],
)
def test_another_value_shape_or_kind_is_another_answer(ours: Any, theirs: Any) -> None:
    assert not same({"value": ours}, {"value": theirs})


def test_exceptions_agree_by_their_kind_alone() -> None:
    ours = {"error": {"type": "ValueError", "message": "mine", "traceback": "", "line": 3}}
    theirs = {"error": {"type": "ValueError", "message": "theirs", "traceback": "", "line": 8}}
    assert same(ours, theirs)
    assert not same(ours, {"error": {**theirs["error"], "type": "TypeError"}})
    assert not same(ours, {"value": 1.0})


def test_what_is_no_reply_is_like_nothing() -> None:
    assert not same_reply(b"garbage", encode({"value": 1}), DEFAULT_CAP)
