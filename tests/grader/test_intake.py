from __future__ import annotations

import threading
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.db import connection, transaction
from django.utils import timezone

from courses.models import Item
from courses.policy import MOST_WAITING
from exercises.models import Revision
from exercises.services import load_package
from grader import grading, intake, problems, queue, retention
from grader.intake import Refused, regrade, submit
from grader.models import Kind, State, Submission
from grader.report import Verdict
from tests.grader.small import SOURCE, Person, QueueUp, a_report, make_package


def test_a_submission_is_queued_pinned_to_the_published_revision(
    item: Item, person: Person, revision: Revision
) -> None:
    load_package(package=make_package(prompt="A draft that nobody has published."))
    submission = submit(user=person("ada"), item=item, source=SOURCE, kind=Kind.SUBMISSION, key=uuid4())
    submission.refresh_from_db()
    assert (submission.state, submission.revision, submission.source) == (State.QUEUED, revision, SOURCE)
    assert submission.worst_time == queue.worst_time(make_package())


def test_a_double_click_is_one_submission(item: Item, person: Person) -> None:
    key = uuid4()
    first, second = (
        submit(user=person("ada"), item=item, source=SOURCE, kind=Kind.SUBMISSION, key=key) for _ in range(2)
    )
    assert first == second
    assert Submission.objects.count() == 1


def test_the_second_click_is_acknowledged_even_when_the_first_used_the_last_attempt(item: Item, person: Person) -> None:
    Item.objects.update(attempts=1)
    item.refresh_from_db()
    key = uuid4()
    first = submit(user=person("ada"), item=item, source=SOURCE, kind=Kind.SUBMISSION, key=key)
    assert submit(user=person("ada"), item=item, source=SOURCE, kind=Kind.SUBMISSION, key=key) == first


@pytest.mark.parametrize(
    "changed",
    [{"source": f"{SOURCE}# corrected\n"}, {"kind": Kind.SAMPLE}, {"item": None}],
    ids=["code", "kind", "item"],
)
def test_a_form_that_comes_back_changed_is_new_work(
    item: Item, other_item: Item, person: Person, changed: dict[str, Any]
) -> None:
    """Back, correct, submit: browsers bring the form back with the key it had."""
    if "item" in changed:
        changed = {"item": other_item}
    form: dict[str, Any] = {
        "user": person("ada"),
        "item": item,
        "source": SOURCE,
        "kind": Kind.SUBMISSION,
        "key": uuid4(),
    }
    first, second, again = submit(**form), submit(**form | changed), submit(**form | changed)
    assert first != second == again
    assert Submission.objects.count() == 2


def test_a_newer_sample_run_replaces_the_one_that_waits(item: Item, other_item: Item, queue_up: QueueUp) -> None:
    elsewhere, theirs = queue_up(item=other_item, kind=Kind.SAMPLE), queue_up(by="bob", kind=Kind.SAMPLE)
    submitted = queue_up()
    runs = [queue_up(kind=Kind.SAMPLE, source=f"{SOURCE}# {number}\n") for number in range(5)]
    waiting = Submission.objects.filter(state=State.QUEUED)
    assert set(waiting) == {elsewhere, theirs, submitted, runs[-1]}
    assert list(Submission.objects.filter(state=State.REPLACED)) == [runs[-2]]  # and none of those before it


def test_a_sample_run_that_is_being_graded_is_not_replaced(queue_up: QueueUp) -> None:
    running = queue_up(kind=Kind.SAMPLE)
    assert queue.claim() == running
    newer = queue_up(kind=Kind.SAMPLE, source=f"{SOURCE}#\n")
    running.refresh_from_db()
    assert (running.state, newer.state) == (State.RUNNING, State.QUEUED)


def test_a_replaced_run_on_which_a_problem_was_reported_is_kept(queue_up: QueueUp) -> None:
    first = queue_up(kind=Kind.SAMPLE)
    queue_up(kind=Kind.SAMPLE)
    problems.report(submission=first, text="Unclear.")
    queue_up(kind=Kind.SAMPLE)
    assert Submission.objects.filter(pk=first.pk).exists()


def test_only_the_newest_sample_runs_of_a_person_are_kept(other_item: Item, queue_up: QueueUp) -> None:
    ended: dict[str, Any] = {"kind": Kind.SAMPLE, "state": State.DONE, "verdict": Verdict.ACCEPTED}
    kept = [queue_up(by="bob", **ended), queue_up(item=other_item, **ended), queue_up(state=State.DONE)]
    runs = [queue_up(**ended) for _ in range(retention.MOST_SAMPLE_RUNS + 5)]
    left = set(Submission.objects.values_list("pk", flat=True))
    assert left == {row.pk for row in [*kept, *runs[-retention.MOST_SAMPLE_RUNS :]]}


def test_a_person_has_a_bounded_number_of_submissions_waiting(
    item: Item, other_item: Item, person: Person, queue_up: QueueUp
) -> None:
    for _ in range(MOST_WAITING):
        queue_up()
    with pytest.raises(Refused, match="still waiting to be graded"):
        queue_up()
    queue_up(kind=Kind.SAMPLE)
    queue_up(item=other_item)
    queue_up(by="bob")
    while Submission.objects.counts(user=person("ada"), item=item).waiting == MOST_WAITING:
        assert queue.claim()
    queue_up()


def test_two_people_may_happen_to_send_one_key(item: Item, person: Person) -> None:
    key = uuid4()
    for name in ("ada", "bob"):
        submit(user=person(name), item=item, source=SOURCE, kind=Kind.SUBMISSION, key=key)
    assert Submission.objects.count() == 2


@pytest.mark.parametrize("source", [b"", b"\xff", b"a\0", b"#" * (2 << 20)])
def test_a_bad_source_is_refused_and_nothing_is_queued(item: Item, person: Person, source: bytes) -> None:
    with pytest.raises(Refused):
        submit(user=person("ada"), item=item, source=source, kind=Kind.SUBMISSION, key=uuid4())
    assert not Submission.objects.exists()


def test_an_unpublished_exercise_takes_nothing(item: Item, person: Person) -> None:
    assert item.exercise is not None
    item.exercise.published = None
    with pytest.raises(Refused, match="not open yet"):
        submit(user=person("ada"), item=item, source=SOURCE, kind=Kind.SUBMISSION, key=uuid4())


def test_the_courses_rules_are_asked(item: Item, person: Person) -> None:
    item.opens_at = timezone.now() + timedelta(days=1)
    with pytest.raises(Refused, match="opens on"):
        submit(user=person("ada"), item=item, source=SOURCE, kind=Kind.SUBMISSION, key=uuid4())
    stranger = User.objects.create(username="mallory")
    item.opens_at = None
    with pytest.raises(Refused, match="Enrol"):
        submit(user=stranger, item=item, source=SOURCE, kind=Kind.SUBMISSION, key=uuid4())


def test_attempts_are_used_by_what_waits_and_by_verdicts_but_not_by_what_could_not_be_judged(
    item: Item, person: Person, queue_up: QueueUp
) -> None:
    def used() -> int:
        return Submission.objects.counts(user=person("ada"), item=item).used

    queue_up(kind=Kind.SAMPLE)
    queue_up(state=State.DONE, verdict=Verdict.INVALID_SUBMISSION)
    queue_up(state=State.HELD)
    queue_up(state=State.CANCELLED)
    queue_up(by="bob")
    assert used() == 0
    queue_up()
    queue_up(state=State.RUNNING)
    queue_up(state=State.DONE, verdict=Verdict.WRONG_ANSWER)
    assert used() == 3


def test_sample_runs_go_on_when_the_attempts_are_used_up(item: Item, person: Person, queue_up: QueueUp) -> None:
    Item.objects.update(attempts=1)
    item.refresh_from_db()
    queue_up()
    submit(user=person("ada"), item=item, source=SOURCE, kind=Kind.SAMPLE, key=uuid4())
    with pytest.raises(Refused, match="only attempt"):
        submit(user=person("ada"), item=item, source=SOURCE, kind=Kind.SUBMISSION, key=uuid4())


def test_what_is_held_costs_nothing_and_so_there_may_not_be_many(item: Item, person: Person, queue_up: QueueUp) -> None:
    for kind in (Kind.SUBMISSION, Kind.SAMPLE, Kind.SUBMISSION):
        queue_up(state=State.HELD, kind=kind)
    for kind in (Kind.SUBMISSION, Kind.SAMPLE):
        with pytest.raises(Refused, match="Grading 3 of your submissions here failed on our side"):
            submit(user=person("ada"), item=item, source=SOURCE, kind=kind, key=uuid4())
    submit(user=person("bob"), item=item, source=SOURCE, kind=Kind.SUBMISSION, key=uuid4())
    queue.release(submission=Submission.objects.filter(state=State.HELD)[0])
    submit(user=person("ada"), item=item, source=SOURCE, kind=Kind.SUBMISSION, key=uuid4())


@pytest.mark.django_db(transaction=True)
def test_two_tabs_cannot_share_the_last_attempt(item: Item, person: Person) -> None:
    Item.objects.update(attempts=1)
    item.refresh_from_db()
    ada, outcomes, together = person("ada"), [], threading.Barrier(4)

    def click() -> None:
        together.wait()
        try:
            submit(user=ada, item=item, source=SOURCE, kind=Kind.SUBMISSION, key=uuid4())
            outcomes.append("queued")
        except Refused:
            outcomes.append("refused")
        finally:
            connection.close()

    tabs = [threading.Thread(target=click) for _ in range(4)]
    for tab in tabs:
        tab.start()
    for tab in tabs:
        tab.join()
    assert sorted(outcomes) == ["queued", "refused", "refused", "refused"]


@pytest.mark.django_db(transaction=True)
def test_a_broker_that_is_down_neither_loses_nor_fails_a_submission(
    item: Item, person: Person, no_broker: None, caplog: pytest.LogCaptureFixture
) -> None:
    submit(user=person("ada"), item=item, source=SOURCE, kind=Kind.SUBMISSION, key=uuid4())
    assert Submission.objects.get().state == State.QUEUED
    assert "no wake-up was sent" in caplog.text


def test_seeds_differ_between_submissions(queue_up: QueueUp) -> None:
    assert len({queue_up().seed for _ in range(5)}) > 1


def test_a_regrade_repeats_source_and_seed_on_the_pinned_revision(queue_up: QueueUp) -> None:
    first = queue_up()
    claimed = queue.claim()
    assert claimed is not None
    queue.finish(submission=claimed, report=a_report())
    first.refresh_from_db()
    again = regrade(submission=first)
    assert (again.kind, again.state, again.regrade_of) == (Kind.REGRADE, State.QUEUED, first)
    assert (again.source, again.seed, again.revision) == (first.source, first.seed, first.revision)
    assert again.origin == first.origin


def test_a_regrade_may_use_another_revision(queue_up: QueueUp) -> None:
    first = queue_up(state=State.DONE, verdict=Verdict.ACCEPTED)
    better = load_package(package=make_package(prompt="Clearer."))
    assert regrade(submission=first, revision=better).revision == better


@pytest.mark.parametrize("row", [{"state": State.QUEUED}, {"state": State.HELD}])
def test_what_has_no_verdict_cannot_be_regraded(queue_up: QueueUp, row: dict[str, str]) -> None:
    with pytest.raises(Refused, match="has been graded"):
        regrade(submission=queue_up(**row))


def test_a_sample_run_cannot_be_regraded(queue_up: QueueUp) -> None:
    with pytest.raises(Refused):
        regrade(submission=queue_up(kind=Kind.SAMPLE, state=State.DONE, verdict=Verdict.ACCEPTED))


def test_the_seed_fits_everywhere() -> None:
    assert 0 <= intake.new_seed() < 2**31


@pytest.mark.django_db(transaction=True)
@pytest.mark.skipif(connection.vendor == "sqlite", reason="SQLite has one writer at a time")
def test_a_click_and_a_worker_do_not_wait_for_each_other(person: Person, queue_up: QueueUp, item: Item) -> None:
    """Else the click waits for the sample run that the worker claims, and the worker for the person: a deadlock."""
    queue_up(kind=Kind.SAMPLE, ready=False, not_before=timezone.now())
    queue_up(kind=Kind.SUBMISSION)
    failures: list[Exception] = []

    def work() -> None:
        try:
            with connection.cursor() as cursor:
                cursor.execute("SET lock_timeout = '5s'")
            for _ in range(2):
                row = queue.claim()
                assert row
                grading.record(submission=row, report=a_report())
        except Exception as error:
            failures.append(error)
        finally:
            connection.close()

    with transaction.atomic():
        submit(user=person("ada"), item=item, source=SOURCE, kind=Kind.SUBMISSION, key=uuid4())
        worker = threading.Thread(target=work)
        worker.start()
        worker.join()
    assert not failures
