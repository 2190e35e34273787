from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterator
from datetime import timedelta
from uuid import uuid4

import pytest
from django.db import connection
from django.utils import timezone

from courses.models import Item
from grader import intake, models, queue
from grader.judge import worst_wall_seconds
from grader.models import MAX_TRIES, Kind, State, Submission
from tests.grader.small import QueueUp, a_report, end_pauses, make_package

AGO = timedelta(seconds=1)


def claimed_pks() -> Iterator[int]:
    while submission := queue.claim():
        yield submission.pk


def expire_leases(of: Submission | None = None) -> None:
    rows = Submission.objects.filter(state=State.RUNNING)
    (rows.filter(pk=of.pk) if of else rows).update(lease_until=timezone.now() - AGO)


def claim() -> Submission:
    submission = queue.claim()
    assert submission is not None
    return submission


def test_an_empty_queue_gives_nothing(db: None) -> None:
    assert queue.claim() is None


def test_a_claim_carries_a_token_and_a_lease_of_the_worst_time(queue_up: QueueUp) -> None:
    queue_up(worst_time=timedelta(minutes=7))
    before = timezone.now()
    submission = claim()
    assert submission.state == State.RUNNING
    assert submission.claim_token is not None
    assert submission.lease_until is not None
    assert timedelta(minutes=7) <= submission.lease_until - before < timedelta(minutes=8)
    assert queue.claim() is None


def test_a_lease_outlasts_everything_the_limits_allow() -> None:
    package = make_package()
    assert queue.worst_time(package) > timedelta(seconds=worst_wall_seconds(package))


def test_sample_runs_come_before_submissions_before_regrades(queue_up: QueueUp) -> None:
    regraded = intake.regrade(submission=queue_up(state=State.DONE, verdict="accepted"))
    submitted, sampled = queue_up(kind=Kind.SUBMISSION), queue_up(kind=Kind.SAMPLE)
    assert list(claimed_pks()) == [sampled.pk, submitted.pk, regraded.pk]


def test_age_decides_between_equals(queue_up: QueueUp) -> None:
    rows = [queue_up(by=name) for name in ("ada", "bob", "eve")]
    Submission.objects.filter(pk=rows[2].pk).update(created_at=timezone.now() - timedelta(hours=1))
    assert list(claimed_pks()) == [rows[2].pk, rows[0].pk, rows[1].pk]


def test_one_person_with_many_rows_does_not_keep_others_waiting(queue_up: QueueUp) -> None:
    greedy = [queue_up(by="ada").pk for _ in range(3)]
    modest = [queue_up(by="bob").pk, queue_up(by="eve").pk]
    assert list(claimed_pks()) == [greedy[0], *modest, *greedy[1:]]


def test_whoever_had_many_turns_waits_for_newcomers_but_no_longer_than_one_turn_of_theirs(queue_up: QueueUp) -> None:
    for _ in range(20):
        queue_up(by="ada")
        claim()
    ada = queue_up(by="ada").pk
    bob = [queue_up(by="bob").pk for _ in range(3)]
    eve = queue_up(by="eve").pk
    assert list(claimed_pks()) == [bob[0], eve, ada, *bob[1:]]


def test_nobody_saves_turns_up_by_staying_away(queue_up: QueueUp) -> None:
    queue_up(by="bob")
    claim()
    for _ in range(20):
        queue_up(by="ada")
        claim()
    bob = [queue_up(by="bob").pk for _ in range(3)]
    ada = [queue_up(by="ada").pk for _ in range(2)]
    assert list(claimed_pks()) == [bob[0], bob[1], ada[0], bob[2], ada[1]]


def test_a_persons_sample_run_comes_before_their_submissions(queue_up: QueueUp) -> None:
    submitted = [queue_up().pk for _ in range(3)]
    sampled = queue_up(kind=Kind.SAMPLE).pk
    assert list(claimed_pks()) == [sampled, *submitted]


def test_regrades_count_in_nobodys_share(queue_up: QueueUp) -> None:
    done = queue_up(by="ada", state=State.DONE, verdict="accepted")
    for _ in range(5):
        intake.regrade(submission=done)
        claim()
    first, second = queue_up(by="ada"), queue_up(by="bob")
    assert list(claimed_pks()) == [first.pk, second.pk]


def test_a_turn_out_of_order_makes_nobody_else_start_later(queue_up: QueueUp) -> None:
    """The oldest row of all may have a large share; those who come next start with the small one that is served."""
    for _ in range(5):
        queue_up(by="ada")
        claim()
    greedy = queue_up(by="ada")
    quiet = queue_up(by="bob")
    assert queue.claim(oldest=True) == greedy
    newcomer, later = queue_up(by="eve"), queue_up(by="ada")
    assert newcomer.share == quiet.share < later.share
    assert list(claimed_pks()) == [quiet.pk, newcomer.pk, later.pk]


def test_asking_for_the_oldest_ignores_every_preference(queue_up: QueueUp) -> None:
    old = intake.regrade(submission=queue_up(by="ada", state=State.DONE, verdict="accepted"))
    queue_up(by="bob", kind=Kind.SAMPLE)
    taken = queue.claim(oldest=True)
    assert taken == old


def test_a_held_item_rests_until_it_is_released(item: Item, queue_up: QueueUp) -> None:
    row = queue_up()
    Item.objects.filter(pk=item.pk).update(held=True)
    assert queue.claim() is None
    late = queue_up(by="bob")
    assert queue.claim() is None
    assert Submission.objects.filter(resting=True).count() == 2
    queue.end_rests()
    assert queue.claim() is None
    Item.objects.filter(pk=item.pk).update(held=False)
    queue.end_rests()
    assert list(claimed_pks()) == [row.pk, late.pk]


def test_what_rested_takes_its_place_among_those_that_wait_now(item: Item, other_item: Item, queue_up: QueueUp) -> None:
    """A release must not put a whole class in front of everybody else."""
    rested = [queue_up(by="ada").pk for _ in range(3)]
    Item.objects.filter(pk=item.pk).update(held=True)
    for name in ("bob", "eve"):
        for _ in range(5):
            queue_up(by=name, item=other_item)
    assert len([claim() for _ in range(8)]) == 8
    Item.objects.filter(pk=item.pk).update(held=False)
    queue.end_rests()
    order = list(claimed_pks())
    assert [order.index(pk) for pk in rested] == [0, 1, 4]


def test_thousands_of_rows_rest_and_return_in_parts(
    item: Item, other_item: Item, queue_up: QueueUp, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So that nothing that wants to write has to wait for all of them."""
    for module in (queue, models):
        monkeypatch.setattr(module, "AT_ONCE", 2)
    rested = [queue_up(by=name).pk for name in ("ada", "bob", "eve", "fay", "guy")]
    Item.objects.filter(pk=item.pk).update(held=True)
    other = queue_up(by="eve", item=other_item).pk
    assert list(claimed_pks()) == [other]
    assert Submission.objects.filter(resting=True).count() == 5
    Item.objects.filter(pk=item.pk).update(held=False)
    assert [queue.end_rests() for _ in range(3)] == [True, True, False]
    assert sorted(claimed_pks()) == rested


def test_an_abandoned_row_of_a_held_item_rests_too(item: Item, queue_up: QueueUp) -> None:
    row = queue_up()
    lost = claim()
    Item.objects.filter(pk=item.pk).update(held=True)
    expire_leases()
    assert queue.claim() is None
    assert not queue.finish(submission=lost, report=a_report())
    Item.objects.filter(pk=item.pk).update(held=False)
    queue.end_rests()
    assert claim() == row


@pytest.mark.parametrize("state", [State.DONE, State.HELD, State.CANCELLED])
def test_what_has_ended_is_not_claimed(queue_up: QueueUp, state: State) -> None:
    queue_up(state=state)
    assert queue.claim() is None


def test_a_row_whose_worker_died_is_claimed_again_by_another(queue_up: QueueUp) -> None:
    row = queue_up()
    lost = claim()
    expire_leases()
    again = claim()
    assert again == row
    assert again.claim_token != lost.claim_token
    assert again.tries == 2


def test_a_worker_that_lost_its_claim_changes_nothing(queue_up: QueueUp, caplog: pytest.LogCaptureFixture) -> None:
    queue_up()
    lost = claim()
    expire_leases()
    current = claim()
    assert not queue.finish(submission=lost, report=a_report())
    queue.fail(submission=lost, fault="late")
    queue.put_back(submission=lost, reason="late")
    row = Submission.objects.get()
    assert (row.state, row.claim_token, row.verdict, row.fault) == (State.RUNNING, current.claim_token, "", "")
    assert "no longer ours" in caplog.text


def test_a_late_worker_that_still_has_its_claim_is_heard(queue_up: QueueUp) -> None:
    queue_up()
    slow = claim()
    expire_leases()
    assert queue.finish(submission=slow, report=a_report())
    assert Submission.objects.get().verdict == "accepted"


def test_a_finished_row_can_be_finished_only_once(queue_up: QueueUp) -> None:
    queue_up()
    mine = claim()
    assert queue.finish(submission=mine, report=a_report())
    assert not queue.finish(submission=mine, report=a_report())


def test_a_fault_is_tried_again_after_a_growing_pause(queue_up: QueueUp) -> None:
    queue_up()
    pauses = []
    for _ in range(MAX_TRIES - 1):
        before = timezone.now()
        queue.fail(submission=claim(), fault="the zygote died")
        row = Submission.objects.get()
        assert (row.state, row.verdict, row.fault) == (State.QUEUED, "", "the zygote died")
        assert row.not_before is not None
        pauses.append(row.not_before - before)
        assert queue.claim() is None
        end_pauses()
    assert timedelta(0) < pauses[0] < pauses[1]


def test_the_third_fault_holds_the_row_and_tells_operators(queue_up: QueueUp, caplog: pytest.LogCaptureFixture) -> None:
    queue_up()
    for _ in range(MAX_TRIES):
        queue.fail(submission=claim(), fault="the zygote died")
        end_pauses()
    row = Submission.objects.get()
    assert (row.state, row.verdict, row.fault) == (State.HELD, "", "the zygote died")
    assert [record.levelname for record in caplog.records if "is held" in record.message] == ["ERROR"]
    assert queue.claim() is None


def test_a_row_that_lost_three_workers_is_held(queue_up: QueueUp, caplog: pytest.LogCaptureFixture) -> None:
    queue_up()
    for _ in range(MAX_TRIES):
        claim()
        expire_leases()
    assert queue.claim() is None
    queue.hold_exhausted()
    row = Submission.objects.get()
    assert (row.state, row.fault) == (State.HELD, queue.WORKER_LOST)
    assert "is held" in caplog.text


def test_a_source_that_is_held_already_is_held_at_its_first_fault(queue_up: QueueUp) -> None:
    queue_up(state=State.HELD)
    queue_up(by="ada")
    second = claim()
    queue.fail(submission=second, fault="again")
    second.refresh_from_db()
    assert second.state == State.HELD


def test_another_source_is_tried_again_beside_one_that_is_held(queue_up: QueueUp) -> None:
    queue_up(state=State.HELD)
    queue_up(by="ada", source="def double(x): return 2 * x\n")
    second = claim()
    queue.fail(submission=second, fault="once")
    second.refresh_from_db()
    assert (second.state, second.fault) == (State.QUEUED, "once")


def test_a_worker_without_a_sandbox_leaves_the_row_to_others_and_counts_no_try(queue_up: QueueUp) -> None:
    queue_up()
    for _ in range(MAX_TRIES + 1):
        queue.put_back(submission=claim(), reason="seccomp is missing")
        row = Submission.objects.get()
        assert (row.state, row.tries) == (State.QUEUED, 0)


def test_an_operator_may_try_a_held_row_again_with_all_its_tries(queue_up: QueueUp) -> None:
    row = queue_up(state=State.HELD, tries=MAX_TRIES, fault="the zygote died")
    assert queue.release(submission=row)
    assert claim().tries == 1
    assert not queue.release(submission=row)


def test_an_operator_may_give_up_a_waiting_or_held_row_but_not_a_running_one(queue_up: QueueUp) -> None:
    waiting, held, running = queue_up(), queue_up(state=State.HELD), queue_up(state=State.RUNNING)
    assert [queue.cancel(submission=row) for row in (waiting, held, running)] == [True, True, False]
    assert queue.claim() is None


@pytest.mark.django_db(transaction=True)
def test_workers_that_claim_at_once_never_share_a_row(queue_up: QueueUp) -> None:
    rows = [queue_up(by=name).pk for name in ("ada", "bob", "eve", "sam", "tom", "una") for _ in range(5)]
    together, taken, errors = threading.Barrier(6), Counter[int](), []

    def work() -> None:
        together.wait()
        try:
            for pk in claimed_pks():
                taken[pk] += 1
        except Exception as error:
            errors.append(error)
        finally:
            connection.close()

    workers = [threading.Thread(target=work) for _ in range(6)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert not errors
    assert taken == Counter(rows)


@pytest.mark.django_db(transaction=True)
def test_an_expired_lease_goes_to_one_of_those_who_want_it(queue_up: QueueUp) -> None:
    queue_up(state=State.RUNNING, claim_token=uuid4(), tries=1, lease_until=timezone.now() - AGO)
    together = threading.Barrier(6)
    taken: list[int] = []

    def work() -> None:
        together.wait()
        try:
            taken.extend(claimed_pks())
        finally:
            connection.close()

    workers = [threading.Thread(target=work) for _ in range(6)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert len(taken) == 1


def test_an_old_row_that_comes_back_does_not_wind_the_clock_back(queue_up: QueueUp) -> None:
    """Else whoever comes next would go before all who have been served meanwhile, for as many turns as these had."""
    released, lost = queue_up(by="old", state=State.HELD), queue_up(by="lost")
    assert claim() == lost
    for _ in range(20):
        queue_up(by="ada")
        claim()
    ada = queue_up(by="ada").pk
    assert queue.release(submission=released)
    expire_leases(of=lost)
    assert {claim().pk, claim().pk} == {released.pk, lost.pk}
    bob = [queue_up(by="bob").pk for _ in range(3)]
    assert list(claimed_pks()) == [bob[0], ada, *bob[1:]]
