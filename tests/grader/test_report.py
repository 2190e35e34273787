"""A report goes to JSON and comes back as it was; anything else is refused."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.report import MalformedReport, MistakeFound, Outcome, Report, Seconds, TestReport, Verdict

TEST = TestReport(
    name="test_it[2-3]",
    title="It is so",
    sample=True,
    points=2,
    outcome=Outcome.WRONG_ANSWER,
    message="“expected” 1, got 2.",
    seconds=0.25,
    stdout="printed\n",
    stderr="",
    details={"kind": "values", "shape": [2, 3], "nested": {"deep": [None, 1.5]}},
)
REPORT = Report(
    exercise="small",
    digest="d" * 64,
    verdict=Verdict.WRONG_ANSWER,
    message="Not quite.",
    score=1,
    max_score=3,
    tests=(TEST, replace(TEST, name="test_other", outcome=Outcome.PASSED, details={})),
    mistakes=(MistakeFound("negate", "You negate.", "Do not.", "All 3 wrong values in the failed test fit."),),
    seed=2**62,
    seconds=Seconds(0.1, 0.2, 0.3),
    sandbox_level="A",
    versions={"python": "3.11.2"},
)


def through_json(report: Report) -> Report:
    return Report.from_json(json.loads(json.dumps(report.to_json())))


@pytest.mark.parametrize(
    "report",
    [
        REPORT,
        replace(REPORT, mistakes=()),
        replace(REPORT, tests=()),
        *(replace(REPORT, verdict=verdict) for verdict in Verdict),
        *(replace(REPORT, tests=(replace(TEST, outcome=outcome),)) for outcome in Outcome),
    ],
)
def test_a_report_comes_back_from_json_as_it_was(report: Report) -> None:
    assert through_json(report) == report


def test_verdicts_and_outcomes_are_plain_words_in_json() -> None:
    data = json.loads(json.dumps(REPORT.to_json()))
    assert (data["verdict"], data["tests"][0]["outcome"]) == ("wrong_answer", "wrong_answer")


def test_only_accepted_is_accepted() -> None:
    assert [verdict for verdict in Verdict if replace(REPORT, verdict=verdict).accepted] == [Verdict.ACCEPTED]


def test_a_fault_of_ours_is_no_verdict() -> None:
    assert {verdict.value for verdict in Verdict} == {
        "accepted",
        "wrong_answer",
        "runtime_error",
        "time_limit",
        "memory_limit",
        "output_limit",
        "invalid_submission",
    }
    assert {outcome.value for outcome in Outcome} - {verdict.value for verdict in Verdict} == {"passed", "not_run"}


@pytest.mark.parametrize("field", [*REPORT.to_json()])
def test_a_report_without_one_of_its_fields_is_refused(field: str) -> None:
    data = REPORT.to_json()
    del data[field]
    with pytest.raises(MalformedReport):
        Report.from_json(data)


@pytest.mark.parametrize("field", ["name", "title", "sample", "points", "outcome", "message", "seconds", "details"])
def test_a_test_without_one_of_its_fields_is_refused(field: str) -> None:
    data = REPORT.to_json()["tests"][0]
    del data[field]
    with pytest.raises(MalformedReport):
        TestReport.from_json(data)


WRONG_KINDS: list[tuple[str, Any]] = [
    ("verdict", "excellent"),
    ("verdict", "passed"),
    ("verdict", None),
    ("exercise", 3),
    ("message", None),
    ("score", "3"),
    ("score", 1.5),
    ("score", True),
    ("seed", None),
    ("tests", None),
    ("tests", 3),
    ("tests", [None]),
    ("tests", [{}]),
    ("tests", "no"),
    ("mistakes", {}),
    ("mistakes", "negate"),
    ("mistakes", ["negate"]),
    ("mistakes", [{}]),
    ("mistakes", [{"slug": 1, "hint": ""}]),
    ("mistakes", [{"slug": "negate", "fault": "", "fix": "", "evidence": "", "whole": 1}]),
    ("seconds", {}),
    ("seconds", {"start": "soon", "run": 0, "total": 0}),
    ("seconds", 3),
    ("versions", 3),
    ("versions", None),
]


@pytest.mark.parametrize("field, value", WRONG_KINDS)
def test_a_field_of_another_kind_is_refused(field: str, value: Any) -> None:
    with pytest.raises(MalformedReport):
        Report.from_json({**REPORT.to_json(), field: value})


@pytest.mark.parametrize(
    "field, value",
    [
        ("outcome", "accepted"),
        ("outcome", []),
        ("sample", 1),
        ("points", "2"),
        ("points", True),
        ("points", 1.0),
        ("seconds", "1"),
        ("seconds", True),
        ("details", []),
        ("details", None),
        ("stdout", None),
        ("name", None),
    ],
)
def test_a_tests_field_of_another_kind_is_refused(field: str, value: Any) -> None:
    with pytest.raises(MalformedReport):
        TestReport.from_json({**REPORT.to_json()["tests"][0], field: value})


@pytest.mark.parametrize("data", [None, [], "report", 3, {}])
def test_what_is_no_mapping_is_refused(data: Any) -> None:
    with pytest.raises(MalformedReport):
        Report.from_json(data)
    with pytest.raises(MalformedReport):
        TestReport.from_json(data)


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)


@given(st.sampled_from(sorted(REPORT.to_json())), ANYTHING)
@settings(max_examples=200, deadline=None)
def test_anything_in_place_of_a_field_is_a_report_or_refused(field: str, value: Any) -> None:
    try:
        report = Report.from_json({**REPORT.to_json(), field: value})
    except MalformedReport:
        return
    assert Report.from_json(report.to_json()) == report or report != report


@pytest.mark.parametrize("mistake", [None, {"slug": "negate", "hint": "You negate."}])
def test_a_report_of_before_with_at_most_one_mistake_is_read(mistake: dict[str, str] | None) -> None:
    old = {**REPORT.to_json(), "mistake": mistake}
    del old["mistakes"]
    assert Report.from_json(old).mistakes == ((MistakeFound("negate", "You negate."),) if mistake else ())
