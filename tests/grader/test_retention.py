"""What is forgotten after the days that the settings give, and what never is."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, timedelta

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.urls import reverse
from django.utils import timezone
from pytest_django import Settings

from courses import gradebook
from courses.models import Course, Item
from grader import problems, retention
from grader.management.commands.sweep import tidy_or_log
from grader.models import Kind, State, Submission
from grader.retention import NOTHING, Removed
from grader.selectors import shown
from tests.conftest import HandIn, SignIn
from tests.grader.small import QueueUp, a_report

DAYS = 30


@pytest.fixture
def keep_thirty_days(settings: Settings) -> None:
    settings.GRADUS_KEEP_SAMPLE_RUNS = settings.GRADUS_KEEP_REPORTS = DAYS


def age(submission: Submission, *, days: float) -> Submission:
    """As if it had been handed in and graded so long ago."""
    then = timezone.now() - timedelta(days=days)
    judged = then if submission.judged_at else None
    Submission.objects.filter(pk=submission.pk).update(created_at=then, judged_at=judged)
    submission.refresh_from_db()
    return submission


def is_there(submission: Submission) -> bool:
    return Submission.objects.filter(pk=submission.pk).exists()


def test_by_default_only_old_sample_runs_go(exercise_item: Item, learner: User, hand_in: HandIn) -> None:
    for days, kind in ((9999, Kind.SUBMISSION), (31, Kind.SAMPLE), (29, Kind.SAMPLE)):
        age(hand_in(exercise_item, learner, kind=kind), days=days)
    assert retention.remove_all() == Removed(sample_runs=1, reports=0)
    assert [row.report is None for row in Submission.objects.oldest_first()] == [False, False]


def test_with_zero_days_everything_is_kept(
    settings: Settings, exercise_item: Item, learner: User, hand_in: HandIn
) -> None:
    settings.GRADUS_KEEP_SAMPLE_RUNS = settings.GRADUS_KEEP_REPORTS = 0
    for kind in (Kind.SAMPLE, Kind.SUBMISSION):
        age(hand_in(exercise_item, learner, kind=kind), days=9999)
    assert retention.remove_all() == NOTHING
    assert Submission.objects.filter(report=None).count() == 0


@pytest.mark.usefixtures("keep_thirty_days")
def test_an_old_sample_run_goes_and_a_young_one_stays(exercise_item: Item, learner: User, hand_in: HandIn) -> None:
    old, young, _ = (hand_in(exercise_item, learner, kind=Kind.SAMPLE) for _ in range(3))
    age(old, days=DAYS + 0.1)
    age(young, days=DAYS - 0.1)
    assert retention.remove_all() == Removed(sample_runs=1, reports=0)
    assert (is_there(old), is_there(young)) == (False, True)


@pytest.mark.usefixtures("keep_thirty_days")
def test_the_code_that_the_exercise_page_opens_with_stays(
    exercise_item: Item, learner: User, classmate: User, hand_in: HandIn, sign_in: SignIn
) -> None:
    newest = age(hand_in(exercise_item, learner, kind=Kind.SAMPLE), days=2 * DAYS)
    hand_in(exercise_item, classmate)  # somebody else's work is no reason to forget mine
    retention.remove_all()
    assert is_there(newest)
    assert "return x + x" in sign_in(learner).get(exercise_item.get_absolute_url()).content.decode()


@pytest.mark.usefixtures("keep_thirty_days")
def test_a_reported_sample_run_and_one_that_waits_stay(exercise_item: Item, learner: User, hand_in: HandIn) -> None:
    reported = hand_in(exercise_item, learner, kind=Kind.SAMPLE)
    problems.settle(problem=problems.report(submission=reported, text="Unclear."))
    held = hand_in(exercise_item, learner, kind=Kind.SAMPLE, judged="")
    Submission.objects.filter(pk=held.pk).update(state=State.HELD, ready=False)
    hand_in(exercise_item, learner)
    for row in (reported, held):
        age(row, days=2 * DAYS)
    retention.remove_all()
    assert is_there(reported)
    assert is_there(held)


@pytest.mark.usefixtures("keep_thirty_days")
def test_of_an_old_submission_only_the_report_goes(
    course: Course, exercise_item: Item, learner: User, hand_in: HandIn
) -> None:
    wrong, right = (hand_in(exercise_item, learner, judged=how) for how in ("wrong", "right"))
    before = Submission.objects.order_by("pk").values("source", "verdict", "score", "max_score", "state", "seed")
    kept, marks = list(before), gradebook.of_person(course, learner)
    for row in (wrong, right):
        age(row, days=DAYS + 1)
    assert retention.remove_all() == Removed(sample_runs=0, reports=2)
    assert list(before.all()) == kept
    assert gradebook.of_person(course, learner) == marks
    assert set(Submission.objects.values_list("report", flat=True)) == {None}


@pytest.mark.usefixtures("keep_thirty_days")
def test_a_report_stays_while_a_problem_with_it_is_open(exercise_item: Item, learner: User, hand_in: HandIn) -> None:
    submission = age(hand_in(exercise_item, learner, judged="wrong"), days=2 * DAYS)
    problem = problems.report(submission=submission, text="Row 1 is wrong.")
    assert retention.remove_all() == NOTHING
    problems.settle(problem=problem)
    assert retention.remove_all() == Removed(sample_runs=0, reports=1)


@pytest.mark.usefixtures("keep_thirty_days")
@pytest.mark.parametrize("page", ["grader:submission", "grader:live"])
@pytest.mark.parametrize(("judged", "title"), [("right", "Accepted"), ("wrong", "Wrong answer")])
def test_the_pages_say_that_the_report_was_removed(
    exercise_item: Item, learner: User, instructor: User, hand_in: HandIn, sign_in: SignIn,
    page: str, judged: str, title: str,
) -> None:  # fmt: skip
    submission = age(hand_in(exercise_item, learner, judged=judged), days=DAYS + 7.5)
    retention.remove_all()
    url = reverse(page, args=[submission.pk])
    seen = sign_in(learner).get(url).content.decode()
    assert title in seen
    submission.refresh_from_db()
    assert submission.report_removed_at
    day = f"{submission.report_removed_at.astimezone(UTC):%-d %B %Y, %H:%M} UTC"
    assert f"removed on {day}, {DAYS + 7} days after grading" in seen
    assert "Grade again” makes" not in seen
    assert "Grade again” makes a new one" in sign_in(instructor).get(url).content.decode()


@pytest.mark.usefixtures("keep_thirty_days")
def test_a_regrade_makes_a_new_report_of_a_forgotten_one(
    exercise_item: Item, learner: User, instructor: User, hand_in: HandIn, sign_in: SignIn
) -> None:
    submission = age(hand_in(exercise_item, learner), days=2 * DAYS)
    retention.remove_all()
    sign_in(instructor).post(reverse("grader:regrade", args=[submission.pk]))
    assert Submission.objects.get(kind=Kind.REGRADE).source == submission.source


@pytest.mark.usefixtures("keep_thirty_days")
def test_a_forgotten_sample_run_still_says_what_it_was(queue_up: QueueUp) -> None:
    run = queue_up(kind=Kind.SAMPLE, state=State.DONE, verdict="accepted", report=a_report().to_json())
    Submission.objects.filter(pk=run.pk).update(judged_at=timezone.now() - timedelta(days=2 * DAYS))
    assert retention.remove_all() == Removed(sample_runs=0, reports=1)
    run.refresh_from_db()
    assert shown(run, to_teacher=True).title == "Samples passed"
    assert "Grade again" not in shown(run, to_teacher=True).message


@pytest.fixture
def three_old_reports(queue_up: QueueUp, keep_thirty_days: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """One more than a batch takes."""
    monkeypatch.setattr(retention, "BATCH", 2)
    then = timezone.now() - timedelta(days=2 * DAYS)
    report = replace(a_report(), message="Old.").to_json()
    for _ in range(3):
        queue_up(state=State.DONE, verdict="accepted", report=report, judged_at=then)


@pytest.mark.usefixtures("three_old_reports")
def test_a_turn_removes_one_batch_and_says_whether_there_may_be_more() -> None:
    assert tidy_or_log()
    assert Submission.objects.exclude(report=None).count() == 1
    assert not tidy_or_log()
    assert Submission.objects.exclude(report=None).count() == 0


@pytest.mark.usefixtures("three_old_reports", "embedded_broker")
def test_a_single_sweep_removes_everything_and_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("sweep")
    assert capsys.readouterr().out.splitlines()[1:] == ["0 sample runs and 3 reports removed"]
