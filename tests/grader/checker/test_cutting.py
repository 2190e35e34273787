"""A report is cut to its size whatever a learner sends, and no more than needed."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest

from grader.checker.cutting import REPORT_BYTES, cut, too_many


def a_test(number: int, *, sample: bool = False, **details: Any) -> dict[str, Any]:
    fixed = {"name": f"test_{number}", "title": "It is so", "sample": sample, "points": 1, "outcome": "wrong_answer"}
    return {**fixed, "message": "Wrong.", "seconds": 0.5, "details": {"kind": "values", **details}}


def size(tests: list[dict[str, Any]]) -> int:
    return len(json.dumps(tests))


def test_what_fits_stays_as_it_is() -> None:
    tests = [a_test(number, heatmap={"got": [[1.5] * 32] * 32}) for number in range(9)]
    before = copy.deepcopy(tests)
    assert cut(tests, size(tests)) == size(before)
    assert tests == before


def test_the_largest_go_first_and_only_as_many_as_must() -> None:
    tests = [a_test(0, traceback="x" * 90_000), a_test(1, traceback="y" * 9_000), a_test(2, heatmap=[1.5] * 40_000)]
    left = cut(tests, size(tests), cap=50_000)
    assert left == size(tests) <= 50_000
    assert tests[0]["details"]["traceback"] == "x" * 200 + "…"
    assert tests[2]["details"]["heatmap"] is None
    assert tests[1]["details"]["traceback"] == "y" * 9_000


def test_of_equal_ones_those_of_sample_tests_stay() -> None:
    tests = [a_test(number, sample=number == 1, traceback="x" * 4_000) for number in range(3)]
    cut(tests, size(tests), cap=size(tests) - 5_000)
    assert [len(test["details"]["traceback"]) for test in tests] == [201, 4_000, 201]


def test_the_grid_of_an_exhibit_goes_before_its_title() -> None:
    exhibit = {"title": "Weights", "caption": "C", "text": "", "grid": [[0.125] * 32] * 32}
    tests = [a_test(0, sample=True, exhibits=[exhibit])]
    cut(tests, size(tests), cap=1_000)
    assert tests[0]["details"]["exhibits"] == [{**exhibit, "grid": None}]


@pytest.mark.parametrize("character", ["x", "\N{PARROT}", '"', "\\"])
def test_nothing_that_a_learner_says_keeps_a_thousand_tests_from_being_cut(character: str) -> None:
    text = character * 2_000
    facts: dict[str, Any] = dict.fromkeys(("exception", "traceback", "headline", "got", "advice", "within"), text)
    tests = [{**a_test(number, **facts), "message": text} for number in range(1_000)]
    assert not too_many(tests)
    assert cut(tests, size(tests)) == size(tests) <= REPORT_BYTES
    assert {test["outcome"] for test in tests} == {"wrong_answer"}


def test_whether_there_are_too_many_tests_is_their_authors_doing_alone() -> None:
    passed = [{**a_test(number), "outcome": "passed", "message": "", "details": {}} for number in range(2_000)]
    failed = [{**a_test(number), "message": "x" * 4_000} for number in range(2_000)]
    assert not too_many(failed[:1_000])
    assert too_many(passed)
    assert too_many(failed)
    assert too_many([{**test, "title": "\N{PARROT}" * 500} for test in passed[:100]])
    assert not too_many([{**test, "title": "x" * 500} for test in passed[:100]])
