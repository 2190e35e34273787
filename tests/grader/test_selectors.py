"""What a reader may see of a report, by the author's policy."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest
from django.utils import timezone

from exercises.models import Revision
from exercises.package import Feedback
from grader.models import Kind, State, Submission
from grader.report import MistakeFound, Outcome, Report, TestReport, Verdict
from grader.selectors import OUTCOMES, QueueState, Shown, ShownTest, queue_state, shown
from tests.grader.small import QueueUp, a_report, make_package

SECRET = "271828"
WRONG = TestReport(
    "test_hidden",
    "A hidden test.",
    False,
    2,
    Outcome.WRONG_ANSWER,
    message=f"Expected {SECRET}.",
    stdout=f"printed {SECRET}",
    details={"kind": "values", "headline": "Wrong values.", "expected": float(SECRET), "where": "[0]"},
)
RAISED = replace(WRONG, outcome=Outcome.RUNTIME_ERROR, details={"traceback": f"ValueError: {SECRET}"})


def as_seen(queue_up: QueueUp, test: TestReport, *, policy: str = "", to_teacher: bool = False) -> ShownTest:
    report = replace(a_report(Verdict(test.outcome)), tests=(test,))
    return seen(queue_up, report, policy=policy, to_teacher=to_teacher).tests[0]


def seen(queue_up: QueueUp, report: Report, *, policy: str = "", to_teacher: bool = False) -> Shown:
    submission = queue_up(state=State.DONE, report=report.to_json(), verdict=report.verdict)
    spec = replace(make_package().spec, feedback=Feedback(**{policy: True})) if policy else make_package().spec
    package = replace(make_package(), spec=spec)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Revision, "package", lambda _: package)
        return shown(submission, to_teacher=to_teacher)


def test_of_a_wrong_value_only_the_kind_is_told(queue_up: QueueUp) -> None:
    test = as_seen(queue_up, WRONG)
    assert (test.title, test.message) == ("A hidden test.", "Wrong values.")
    assert SECRET not in repr(test)
    assert test.withheld


def test_an_exception_is_told_with_its_traceback_but_not_the_prints(queue_up: QueueUp) -> None:
    test = as_seen(queue_up, RAISED)
    assert "ValueError" in test.traceback
    assert test.stdout == ""


@pytest.mark.parametrize(("policy", "field"), [("hidden_message", "message"), ("hidden_output", "stdout")])
def test_the_author_may_open_a_part_and_no_other(queue_up: QueueUp, policy: str, field: str) -> None:
    test = as_seen(queue_up, WRONG, policy=policy)
    shown_fields = {name for name in ("message", "stdout", "traceback", "facts") if SECRET in str(getattr(test, name))}
    assert shown_fields == {field}


def test_exhibits_are_shown_of_sample_tests_alone(queue_up: QueueUp) -> None:
    facts = {"title": "T", "caption": "C", "text": "", "language": "", "rows": ["r"], "columns": ["c"], "grid": [[1.0]]}
    sample = replace(WRONG, sample=True, details={"exhibits": [facts]})
    assert [one.title for one in as_seen(queue_up, sample).exhibits] == ["T"]
    for to_teacher in (False, True):
        assert as_seen(queue_up, replace(sample, sample=False), to_teacher=to_teacher).exhibits == ()


def test_sample_tests_and_teachers_hide_nothing(queue_up: QueueUp) -> None:
    sample = as_seen(queue_up, replace(WRONG, sample=True))
    taught = as_seen(queue_up, WRONG, to_teacher=True)
    for test in (sample, taught):
        assert SECRET in test.message
        assert SECRET in test.stdout
        assert ("Expected", SECRET) in test.facts


@pytest.mark.parametrize(("to_teacher", "cases"), [(False, ["1 of 2", "2 of 2"]), (True, ["[8]", "[9]"])])
def test_hidden_tests_of_one_title_show_their_parameters_to_teachers_alone(
    queue_up: QueueUp, to_teacher: bool, cases: list[str]
) -> None:
    tests = (replace(WRONG, name="test_hidden[8]"), replace(WRONG, name="test_hidden[9]"))
    view = seen(queue_up, replace(a_report(Verdict.WRONG_ANSWER), tests=tests), to_teacher=to_teacher)
    assert [test.case for test in view.tests] == cases


def test_only_the_first_failure_is_open(queue_up: QueueUp) -> None:
    passed = replace(WRONG, name="a", outcome=Outcome.PASSED)
    report = replace(a_report(Verdict.WRONG_ANSWER), tests=(passed, replace(WRONG, name="b"), replace(WRONG, name="c")))
    assert [test.opened for test in seen(queue_up, report).tests] == [False, True, False]


def test_the_hint_of_a_known_mistake_is_shown(queue_up: QueueUp) -> None:
    report = replace(a_report(Verdict.WRONG_ANSWER), tests=(WRONG,), mistakes=(MistakeFound("square", "You square."),))
    assert [one.fault for one in seen(queue_up, report).mistakes] == ["You square."]


@pytest.mark.parametrize(
    ("verdict", "ago", "is_looking", "told"),
    [
        (Verdict.WRONG_ANSWER, timedelta(0), True, True),
        (Verdict.WRONG_ANSWER, timedelta(0), False, False),
        (Verdict.WRONG_ANSWER, timedelta(minutes=2), True, False),
        (Verdict.ACCEPTED, timedelta(0), True, False),
    ],
)
def test_that_mistakes_are_looked_for_is_told_of_what_was_judged_just_now(
    queue_up: QueueUp, monkeypatch: pytest.MonkeyPatch, verdict: Verdict, ago: timedelta, is_looking: bool, told: bool
) -> None:
    monkeypatch.setattr("grader.progress.is_looking", lambda submission_id: is_looking)
    report = a_report(verdict)
    row = queue_up(state=State.DONE, report=report.to_json(), verdict=verdict, judged_at=timezone.now() - ago)
    assert shown(row, to_teacher=False).looking is told


@pytest.mark.parametrize("state", [state for state in State if state != State.DONE])
def test_every_state_has_words(queue_up: QueueUp, state: State) -> None:
    submission: Submission = queue_up(state=state, fault="zygote died")
    view = shown(submission, to_teacher=False)
    assert view.title
    assert view.message
    assert "zygote" not in view.message
    assert view.finished == (state not in (State.QUEUED, State.RUNNING))


def test_every_outcome_has_words() -> None:
    assert set(OUTCOMES) == set(Outcome)


def test_a_passed_sample_run_asks_for_the_submission(queue_up: QueueUp) -> None:
    submission = queue_up(kind=Kind.SAMPLE, state=State.DONE, report=a_report().to_json(), verdict=Verdict.ACCEPTED)
    assert "Submit to run the hidden tests" in shown(submission, to_teacher=False).message


@pytest.mark.django_db
def test_the_queue_tells_who_waits_since_when_and_who_is_held(queue_up: QueueUp) -> None:
    assert queue_state() == QueueState(0, 0, 0)
    queue_up(created_at=timezone.now() - timedelta(seconds=90))
    queue_up()
    queue_up(state=State.HELD)
    queue_up(state=State.DONE)
    found = queue_state()
    assert (found.waiting, found.held) == (2, 1)
    assert 90 <= found.oldest_seconds < 150
