from __future__ import annotations

from grader.case_labels import labels
from grader.report import Outcome, TestReport


def a_test(name: str, title: str, *, sample: bool = False) -> TestReport:
    return TestReport(name, title, sample, 1, Outcome.PASSED)


TESTS = [
    a_test("test_alone[7]", "Alone."),
    a_test("test_open[2-8]", "Open.", sample=True),
    a_test("test_open[3-5]", "Open.", sample=True),
    a_test("test_hidden[1-6]", "Hidden."),
    a_test("test_hidden[50-512]", "Hidden."),
    a_test("test_hidden[7-9]", "Hidden."),
]


def test_samples_show_their_parameters_and_hidden_tests_only_their_number() -> None:
    assert labels(TESTS, show_all=False) == ["", "[2-8]", "[3-5]", "1 of 3", "2 of 3", "3 of 3"]


def test_teachers_see_all_parameters() -> None:
    assert labels(TESTS, show_all=True) == ["", "[2-8]", "[3-5]", "[1-6]", "[50-512]", "[7-9]"]


def test_a_hidden_test_that_shares_its_title_with_samples_needs_no_number() -> None:
    tests = [a_test("test_a[1]", "Same.", sample=True), a_test("test_b[2]", "Same.")]
    assert labels(tests, show_all=False) == ["[1]", ""]
