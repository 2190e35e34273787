"""What two answers have in common that is wrong, as far as naming a mistake goes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

from exercises.testkit.tolerance import Tolerance
from exercises.testkit.values import DEFAULT_CAP, Handle, encode
from grader.checker import alike
from grader.checker.alike import Answer, Match

CALL = encode({"do": "call", "target": "f", "method": "", "args": [1.0], "kwargs": {}})
ONES = np.ones((2, 3))
EXACT = Tolerance(1e-5, 1e-8)


def read(reply: dict[str, Any], request: bytes = CALL) -> Answer:
    answer = alike.read(request, encode(reply), DEFAULT_CAP)
    assert answer is not None
    return answer


def match(ours: Any, theirs: Any, right: Any = 0.0, asked: float = 1.0) -> Match | None:
    return alike.match(read({"value": ours}), read({"value": theirs}), read({"value": right}), EXACT, asked)


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (ONES, ONES * (1 + 1e-6)),
        (ONES, ONES.astype(np.float32)),
        (ONES, torch.ones(2, 3)),
        (1.0, np.float64(1.0)),
        (1.0, torch.tensor(1.0)),
        (1.0, 1),
        (np.array([1.0, np.nan, -np.inf]), np.array([1.0, np.nan, -np.inf])),
        ([1.0, "a", None], (1.0 + 1e-9, "a", None)),
        ({"a": torch.ones(2)}, {"a": torch.ones(2, dtype=torch.float64)}),
        (Handle(1, "Mine"), Handle(1, "Theirs")),
    ],
)
def test_rounding_and_dress_make_no_other_answer(ours: Any, theirs: Any) -> None:
    assert match(ours, theirs) is not None


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (ONES, ONES * 1.01),
        (ONES, ONES.T),
        (np.ones(1), np.ones(3)),
        (np.array([1.0, np.nan]), np.array([1.0, 0.0])),
        ([1.0], [1.0, 1.0]),
        ({"a": 1}, {"b": 1}),
        (None, 0),
    ],
)
def test_another_value_or_shape_is_another_answer(ours: Any, theirs: Any) -> None:
    assert match(ours, theirs) is None


def test_the_values_are_counted_that_are_wrong_in_both() -> None:
    right = np.array([1.0, 2.0, 3.0])
    assert match(np.array([1.0, 5.0, 6.0]), np.array([1.0, 5.0, 6.0]), right) == Match(values=2)
    assert match(right, right.copy(), right) == Match()
    assert match(np.ones(4), np.ones(4), right) == Match(values=4)


def test_float32_may_round_what_was_asked_unless_that_is_as_much_as_the_error() -> None:
    ours, rounded = np.array([0.5]), np.array([0.50002])
    assert match(ours, rounded, np.array([0.9]), asked=1000.0) == Match(values=1)
    assert match(ours, rounded, np.array([0.9]), asked=1.0) is None
    assert match(ours, rounded, np.array([0.50005]), asked=1000.0) is None


def test_where_only_ratios_count_nothing_is_rounded_away() -> None:
    ours, theirs, right = (read({"value": np.array([1.0, slow])}) for slow in (2e-6, 3e-6, 4e-6))
    assert alike.match(ours, theirs, right, Tolerance(1e-4, 0.0), 500_000.0) is None


def error(kind: str, message: str) -> Answer:
    return read({"error": {"type": kind, "message": message, "traceback": "", "line": 3}})


def test_exceptions_say_little_unless_they_are_equal_word_for_word() -> None:
    ours, right = error("ValueError", "mine"), read({"value": 1.0})
    assert alike.match(ours, error("TypeError", "theirs"), right, EXACT, 1.0) == Match(exceptions=1)
    assert alike.match(ours, error("ValueError", "mine"), right, EXACT, 1.0) == Match(exceptions=1, same_exceptions=1)
    assert alike.match(ours, right, right, EXACT, 1.0) is None
    assert alike.match(right, ours, right, EXACT, 1.0) is None


def test_an_exception_that_is_asked_for_is_no_evidence() -> None:
    ours, theirs, right = (error("ValueError", text) for text in "abc")
    assert alike.match(ours, theirs, right, EXACT, 1.0) == Match()


def test_asserts_are_alike_whatever_they_say_where_an_exception_is_asked_for() -> None:
    ours, theirs, right = error("AssertionError", "mine"), error("AssertionError", ""), error("ValueError", "asked for")
    assert alike.match(ours, theirs, right, EXACT, 1.0) == Match(exceptions=1, same_exceptions=1)
    assert alike.match(ours, theirs, read({"value": 1.0}), EXACT, 1.0) == Match(exceptions=1)
    other = error("IndexError", "mine"), error("IndexError", "")
    assert alike.match(*other, right, EXACT, 1.0) == Match(exceptions=1)


def test_nothing_where_a_value_belongs_is_evidence() -> None:
    assert match([None, 1.0], [None, 1.0], [2.0, 1.0]) == Match(facts=1)


def test_nan_and_infinity_are_no_more_evidence_than_an_exception() -> None:
    lost = np.array([np.nan, np.inf, 1.0])
    assert match(lost, lost.copy(), np.ones(3)) == Match(same_exceptions=1, exceptions=1)
    assert match(lost, lost.copy(), np.zeros(3)) == Match(same_exceptions=1, exceptions=1, values=1)


def test_a_changed_argument_is_evidence() -> None:
    changed, kept = ({"value": 1.0, "mutated": told} for told in (True, False))
    assert alike.match(read(changed), read(changed), read(kept), EXACT, 1.0) == Match(facts=1)
    assert alike.match(read(changed), read(kept), read(kept), EXACT, 1.0) is None


LOAD = encode({"do": "load_parameters", "target": Handle(1, "A"), "method": "", "state": {}})


def loaded(**found: Any) -> Answer:
    return read({"value": {"lacks": [], "has": [], "shapes": {}, "extra": {}, **found}}, LOAD)


def test_parameters_are_compared_by_what_is_missing_not_by_order_or_by_names_of_ones_own() -> None:
    right = loaded(has=["a", "b"])
    ours = loaded(lacks=["a", "b"], has=["x"], extra={"x": (2,)})
    other_names = loaded(lacks=["b", "a"], has=["y", "z"], extra={"y": (2,)})
    assert alike.match(ours, other_names, right, EXACT, 1.0) == Match(facts=2)
    assert alike.match(ours, loaded(lacks=["a"], extra={"x": (2,)}), right, EXACT, 1.0) is None
    assert alike.match(ours, loaded(lacks=["a", "b"], extra={"x": (2, 2)}), right, EXACT, 1.0) is None
    assert alike.match(ours, loaded(lacks=["a", "b"]), right, EXACT, 1.0) is None


def test_infinity_is_evidence_only_among_infinities() -> None:
    masked, right = (read({"value": torch.tensor([0.0, key, -np.inf])}) for key in (-np.inf, 1.0))
    assert alike.match(masked, masked, right, EXACT, 1.0) == Match(values=1)
    lost = read({"value": torch.tensor([0.0, np.nan, -np.inf])})
    assert alike.match(lost, lost, right, EXACT, 1.0) == Match(same_exceptions=1, exceptions=1)
    plain = read({"value": torch.tensor([0.0, 1.0, 2.0])})
    assert alike.match(masked, masked, plain, EXACT, 1.0) == Match(same_exceptions=1, exceptions=1)


def test_buffers_of_ones_own_are_no_other_answer() -> None:
    names = encode({"do": "names", "target": Handle(1, "A"), "method": ""})
    ours, right = (read({"value": value}, names) for value in ({"a": (1,), "table": (9, 4)}, {"a": (2,)}))
    assert alike.asks_for_names(names)
    assert not alike.asks_for_names(CALL)
    assert ours.only(right) == read({"value": {"a": (1,)}}, names).only(right)


def test_how_large_the_arguments_are_leaves_out_what_only_masks() -> None:
    asked = {
        "do": "call",
        "target": "f",
        "method": "",
        "args": [np.array([3.0, -1e9, np.inf]), 7],
        "kwargs": {"k": -20},
    }
    assert alike.largest_asked(encode(asked)) == 20.0


def test_what_is_no_reply_is_like_nothing() -> None:
    assert alike.read(CALL, b"garbage", DEFAULT_CAP) is None
    assert alike.read(CALL, encode([1]), DEFAULT_CAP) is None
    assert alike.read(LOAD, encode({"value": 3}), DEFAULT_CAP) is None


# What a module has beside what is asked for

PARAMETERS = encode({"do": "parameter_names", "handle": 1})
NAMES = encode({"do": "names", "handle": 1})


def beside(ours: dict[str, Any], theirs: dict[str, Any], request: bytes = PARAMETERS) -> Match:
    asked_for = {"weight": (2, 3)}
    answers = [read({"value": {**asked_for, **more}}, request) for more in (ours, theirs, {})]
    return alike.match_beside(request, *answers)


def test_the_same_parameters_too_many_are_evidence_whatever_their_names() -> None:
    found = beside({"tgt.table": (7, 4), "scale": (4,)}, {"beta": (4,), "second": (7, 4)})
    assert found == Match(facts=1)


@pytest.mark.parametrize(
    ("ours", "theirs"), [({}, {}), ({"a": (7, 4)}, {}), ({}, {"a": (7, 4)}), ({"a": (7, 4)}, {"a": (4, 7)})]
)
def test_other_parameters_too_many_say_nothing(ours: dict[str, Any], theirs: dict[str, Any]) -> None:
    assert beside(ours, theirs) == Match()


def test_buffers_are_everybodys_own_affair() -> None:
    assert beside({"mask": (4, 4)}, {"mask": (4, 4)}, NAMES) == Match()
