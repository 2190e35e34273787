from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any
from uuid import uuid4

import pytest

from courses.models import Result
from exercises.package import Package
from grader import grading, progress, queue
from grader.intake import regrade
from grader.models import MAX_TRIES, Kind, State, Submission
from grader.report import MistakeFound, Outcome, Report, TestReport, Verdict
from grader.sandbox import Cancelled, PlatformFault, Sandbox, SandboxUnavailable
from tests.grader.small import SOURCE, QueueUp, a_report, end_pauses

SANDBOX = Sandbox()  # never entered: these tests replace the judge

Judge = Callable[..., Report]
JudgeAs = Callable[..., None]


@pytest.fixture
def judge_as(monkeypatch: pytest.MonkeyPatch) -> JudgeAs:
    def judged_by(judge: Judge, unfit: str = "") -> None:
        monkeypatch.setattr(grading, "judge", judge)
        monkeypatch.setattr(grading, "why_unfit", lambda sandbox: unfit)

    return judged_by


def always(report: Report) -> Judge:
    return lambda *args, **kwargs: report


def failing(error: Exception) -> Judge:
    def judge(*args: Any, **kwargs: Any) -> Report:
        raise error

    return judge


def test_an_empty_queue_judges_nothing(db: None, judge_as: JudgeAs) -> None:
    judge_as(failing(AssertionError("nothing to judge")))
    assert grading.grade_next(SANDBOX) is None


def test_the_judge_gets_what_the_row_is_pinned_to(queue_up: QueueUp, judge_as: JudgeAs) -> None:
    seen: dict[str, Any] = {}

    def judge(package: Package, source: str, **options: Any) -> Report:
        seen.update(options, digest=package.digest, source=source)
        return a_report()

    judge_as(judge)
    row = queue_up(kind=Kind.SAMPLE)
    grading.grade_next(SANDBOX)
    assert seen.pop("on_progress")
    assert seen.pop("on_verdict")
    assert seen == {
        "digest": row.revision.digest,
        "source": SOURCE,
        "seed": row.seed,
        "sandbox": SANDBOX,
        "sample_only": True,
    }


NAMED = MistakeFound("squared", "You square.", "Double.", "All 3 wrong values in the failed test fit.")


def diagnosing(report: Report, meanwhile: Callable[[], None], found: Report | None = None) -> Judge:
    """A judge that tells the verdict, and then goes on looking for mistakes."""

    def judge(*args: Any, on_verdict: Callable[[Report], None], **kwargs: Any) -> Report:
        on_verdict(report)
        meanwhile()
        return found or report

    return judge


def test_a_verdict_is_recorded_before_mistakes_are_looked_for_and_they_are_added(
    queue_up: QueueUp, judge_as: JudgeAs
) -> None:
    row, report = queue_up(), a_report(Verdict.WRONG_ANSWER, score=2)
    seen: list[Any] = []

    def meanwhile() -> None:
        row.refresh_from_db()
        told = row.read_report()
        assert told is not None
        seen.append((row.state, row.verdict, told.mistakes))

    judge_as(diagnosing(report, meanwhile, replace(report, mistakes=(NAMED,))))
    grading.grade_next(SANDBOX)
    assert seen == [(State.DONE, Verdict.WRONG_ANSWER, ())]
    assert Result.objects.get().raw == 2
    row.refresh_from_db()
    read = row.read_report()
    assert read is not None
    assert (read.mistakes, row.verdict, row.score) == ((NAMED,), Verdict.WRONG_ANSWER, 2)


def test_whatever_happens_once_the_verdict_is_recorded_leaves_it_as_it_is(queue_up: QueueUp, judge_as: JudgeAs) -> None:
    def dies() -> None:
        raise PlatformFault("the sandbox is gone")

    row = queue_up()
    judge_as(diagnosing(a_report(Verdict.WRONG_ANSWER, score=2), dies))
    grading.grade_next(SANDBOX)
    row.refresh_from_db()
    assert (row.state, row.verdict, row.fault) == (State.DONE, Verdict.WRONG_ANSWER, "")


def test_mistakes_found_for_a_row_that_another_worker_has_claimed_are_dropped(
    queue_up: QueueUp, judge_as: JudgeAs
) -> None:
    row, report = queue_up(), a_report(Verdict.WRONG_ANSWER, score=2)

    def judge(*args: Any, on_verdict: Callable[[Report], None], **kwargs: Any) -> Report:
        Submission.objects.update(claim_token=uuid4())
        on_verdict(report)
        return replace(report, mistakes=(NAMED,))

    judge_as(judge)
    grading.grade_next(SANDBOX)
    row.refresh_from_db()
    assert (row.state, row.report) == (State.RUNNING, None)


def test_a_verdict_is_recorded_with_its_report_and_its_course_result(queue_up: QueueUp, judge_as: JudgeAs) -> None:
    judge_as(always(a_report(Verdict.WRONG_ANSWER, score=2)))
    row = queue_up()
    done = grading.grade_next(SANDBOX)
    assert done == row
    assert done is not None
    done.refresh_from_db()
    assert (done.state, done.verdict, done.score, done.max_score) == (State.DONE, "wrong_answer", 2, 3)
    assert done.read_report() == a_report(Verdict.WRONG_ANSWER, score=2)
    assert (done.claim_token, done.lease_until) == (None, None)
    result = Result.objects.get()
    assert (result.origin, result.raw, result.maximum) == (f"submission:{row.pk}", 2, 3)
    assert (result.user, result.item, result.submitted_at) == (row.user, row.item, row.created_at)


@pytest.mark.parametrize(
    ("kind", "verdict"), [(Kind.SAMPLE, Verdict.ACCEPTED), (Kind.SUBMISSION, Verdict.INVALID_SUBMISSION)]
)
def test_sample_runs_and_invalid_submissions_earn_no_result(
    queue_up: QueueUp, judge_as: JudgeAs, kind: Kind, verdict: Verdict
) -> None:
    judge_as(always(a_report(verdict)))
    queue_up(kind=kind)
    grading.grade_next(SANDBOX)
    assert Submission.objects.get().verdict == verdict
    assert not Result.objects.exists()


@pytest.mark.parametrize(
    "error",
    [
        PlatformFault("the zygote died"),
        ZeroDivisionError("in our own code"),
        SandboxUnavailable("forged by an exercise's tests, for this worker is fit"),
    ],
)
def test_a_fault_of_ours_is_tried_again_then_held_and_never_a_mark(
    queue_up: QueueUp, judge_as: JudgeAs, error: Exception
) -> None:
    judge_as(failing(error))
    queue_up()
    for _ in range(MAX_TRIES):
        end_pauses()
        grading.grade_next(SANDBOX)
    row = Submission.objects.get()
    assert (row.state, row.verdict, row.report) == (State.HELD, "", None)
    assert str(error) in row.fault
    assert not Result.objects.exists()


def test_a_worker_that_stops_hands_its_row_back_at_once_and_counts_no_try(queue_up: QueueUp, judge_as: JudgeAs) -> None:
    judge_as(failing(Cancelled()))
    queue_up()
    for _ in range(MAX_TRIES + 1):
        grading.grade_next(SANDBOX)
        row = Submission.objects.get()
        assert (row.state, row.tries, row.fault, row.claim_token) == (State.QUEUED, 0, "", None)


def test_a_row_can_be_graded_after_faults(queue_up: QueueUp, judge_as: JudgeAs) -> None:
    judge_as(failing(PlatformFault("the zygote died")))
    queue_up()
    grading.grade_next(SANDBOX)
    end_pauses()
    judge_as(always(a_report()))
    grading.grade_next(SANDBOX)
    row = Submission.objects.get()
    assert (row.state, row.verdict, row.fault) == (State.DONE, "accepted", "")


def test_without_a_sandbox_the_row_waits_and_the_worker_is_told_to_stop(queue_up: QueueUp, judge_as: JudgeAs) -> None:
    judge_as(failing(SandboxUnavailable("seccomp is missing")), unfit="seccomp is missing")
    queue_up()
    with pytest.raises(SandboxUnavailable):
        grading.grade_next(SANDBOX)
    row = Submission.objects.get()
    assert (row.state, row.tries, row.verdict) == (State.QUEUED, 0, "")


@pytest.mark.parametrize("error", [PlatformFault("no report"), PermissionError("no kill")])
def test_a_fault_of_a_worker_that_can_judge_nothing_costs_the_row_no_try(
    queue_up: QueueUp, judge_as: JudgeAs, error: Exception
) -> None:
    judge_as(failing(error), unfit="Nothing is graded here.")
    queue_up()
    for _ in range(MAX_TRIES + 1):
        with pytest.raises(SandboxUnavailable, match=r"^Nothing is graded here\.$"):
            grading.grade_next(SANDBOX)
        row = Submission.objects.get()
        assert (row.state, row.tries, row.fault) == (State.QUEUED, 0, "")


def test_what_a_worker_found_after_losing_its_claim_is_dropped_whole(queue_up: QueueUp, judge_as: JudgeAs) -> None:
    def judge(*args: Any, **kwargs: Any) -> Report:
        Submission.objects.update(lease_until=None, claim_token=None, state=State.QUEUED, ready=True)
        rival = queue.claim()
        assert rival is not None
        return a_report()

    judge_as(judge)
    queue_up()
    grading.grade_next(SANDBOX)
    assert Submission.objects.get().state == State.RUNNING
    assert not Result.objects.exists()


def test_verdict_and_result_are_recorded_both_or_neither(
    queue_up: QueueUp, judge_as: JudgeAs, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(**values: Any) -> None:
        raise RuntimeError("the gradebook is closed")

    monkeypatch.setattr("courses.results.push", refuse)
    judge_as(always(a_report()))
    queue_up()
    grading.grade_next(SANDBOX)
    row = Submission.objects.get()
    assert (row.state, row.verdict, row.report) == (State.QUEUED, "", None)
    assert "the gradebook is closed" in row.fault


def test_a_regrade_replaces_the_result_and_keeps_the_hour_of_the_first(queue_up: QueueUp, judge_as: JudgeAs) -> None:
    judge_as(always(a_report(score=3)))
    first = queue_up()
    grading.grade_next(SANDBOX)
    first.refresh_from_db()
    judge_as(always(a_report(Verdict.WRONG_ANSWER, score=1)))
    regrade(submission=first)
    grading.grade_next(SANDBOX)
    result = Result.objects.get()
    assert (result.raw, result.submitted_at) == (1, first.created_at)


def test_every_fourth_claim_takes_the_oldest(judge_as: JudgeAs, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[bool] = []

    def claim(*, oldest: bool) -> None:
        asked.append(oldest)

    monkeypatch.setattr(queue, "claim", claim)
    for _ in range(8):
        grading.grade_next(SANDBOX)
    assert sum(asked) == 2
    first = asked.index(True)
    assert asked[first + grading.OLDEST_EVERY :: grading.OLDEST_EVERY] == [True]


def test_progress_is_told_as_tests_end_but_not_too_often(
    queue_up: QueueUp, judge_as: JudgeAs, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[tuple[int, int, list[str]]] = []

    def put(pk: int, total: int, tests: list[TestReport]) -> None:
        told.append((pk, total, [test.name for test in tests]))

    def judge(*args: Any, on_progress: Callable[[TestReport, int], None], **kwargs: Any) -> Report:
        for name, wait in (("a", 0.0), ("b", 0.0), ("c", grading.PROGRESS_EVERY)):
            time.sleep(wait)
            on_progress(TestReport(name, name, sample=True, points=1, outcome=Outcome.PASSED), 3)
        return a_report()

    monkeypatch.setattr(progress, "put", put)
    judge_as(judge)
    row = queue_up()
    grading.grade_next(SANDBOX)
    assert told == [(row.pk, 3, ["a"]), (row.pk, 3, ["a", "b", "c"])]
