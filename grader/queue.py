"""Who is graded next, and by whom. The rows are the queue; every change of state is one conditional UPDATE.

The order is kept in columns, written when a row is queued, claimed or settled, so that a claim reads the front of one
index however many rows wait. It is fair queueing on a virtual clock: each claim of a person's row moves their other
rows one turn back, and whoever comes new starts at the turn that is being served. See docs/decisions/0015.
"""

from __future__ import annotations

import logging
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any
from uuid import UUID, uuid4

from django.db import transaction
from django.db.models import F
from django.db.models.functions import Greatest
from django.utils import timezone

from courses.models import Item
from exercises.package import Package
from grader import wakeups
from grader.judge import worst_wall_seconds
from grader.models import AT_ONCE, BEHIND_ALL, MAX_TRIES, Kind, State, Submission
from grader.report import Report

if TYPE_CHECKING:
    from django.contrib.auth.models import User

log = logging.getLogger(__name__)

LEASE_MARGIN = timedelta(seconds=15)  # beside the judging itself: a fresh zygote, and recording
FIRST_PAUSE = timedelta(seconds=5)
_ONE_TRY_LESS = Greatest(F("tries") - 1, 0)
_NOWHERE: dict[str, Any] = {"ready": False, "resting": False, "not_before": None}
_CLAIMED = Submission.objects.select_related("revision", "item", "user").defer("revision__files")
WORKER_LOST = "The worker that graded this ended before it could report."


def worst_time(package: Package) -> timedelta:
    """Longer than a worker can need for one submission; a claim older than this has lost its worker."""
    return timedelta(seconds=worst_wall_seconds(package)) + LEASE_MARGIN


def claim(*, oldest: bool = False) -> Submission | None:
    """Take the next row for this worker, under a fresh token and a lease; None when there is nothing to do.

    `oldest` ignores every preference: a worker that asks so now and then lets nobody starve.
    """
    while True:
        with transaction.atomic():
            now = timezone.now()
            Submission.objects.all().make_ready(now)
            ready = Submission.objects.ready().select_for_update(skip_locked=True)
            first = (ready.oldest_first() if oldest else ready.in_order()).values_list("pk", flat=True).first()
            if first is None:
                return None
            row = _CLAIMED.get(pk=first)
            if row.item.held:
                _rest(row.item)
            elif _take(row, now):
                return row


def _take(row: Submission, now: datetime) -> bool:
    """Claim the row and advance its person's place on the clock; False if it was taken meanwhile."""
    taken = Submission.objects.filter(pk=row.pk, ready=True).update(
        state=State.RUNNING,
        ready=False,
        claim_token=(token := uuid4()),
        claimed_at=now,
        lease_until=now + row.worst_time,
        tries=F("tries") + 1,
    )
    if row.share < BEHIND_ALL:
        others = Submission.objects.filter(user=row.user_id, ready=True, share__lte=row.share)
        others.unlocked().update(share=row.share + 1)
    row.state, row.ready, row.claim_token, row.claimed_at = State.RUNNING, False, token, now
    row.lease_until, row.tries = now + row.worst_time, row.tries + 1
    return bool(taken)


def _rest(item: Item) -> None:
    """Take the next rows of a held item out of the index, so that nobody meets them again until its release."""
    rows = Submission.objects.ready().in_order().filter(item=item).unlocked(AT_ONCE)
    rows.update(state=State.QUEUED, ready=False, resting=True, claim_token=None, lease_until=None)


@transaction.atomic
def end_rests() -> bool:
    """Make rows ready that rest although their item is no longer held; whether there may be more of them."""
    items = Item.objects.filter(held=False)
    return Submission.objects.filter(resting=True, item__in=items).take_places() == AT_ONCE


def enter(submission: Submission) -> None:
    """Put a new row into the queue: say what share it starts with. Call it in the transaction that creates the row."""
    own = Submission.objects.live().filter(user=submission.user).last_claimed()
    submission.ready = True
    served = Submission.objects.share_served()
    submission.share = BEHIND_ALL if submission.regrade_of else max(served, own.share + 1 if own else 0)


def replace_sample_run(*, user: User, item: Item) -> None:
    """A newer sample run takes the place of one that still waits. Of those replaced before, none is kept."""
    runs = Submission.objects.filter(user=user, item=item, kind=Kind.SAMPLE)
    runs.filter(state=State.REPLACED, problems=None).delete()
    runs.filter(state=State.QUEUED).update(state=State.REPLACED, **_NOWHERE)


def finish(*, submission: Submission, report: Report) -> bool:
    """Store the report if the claim still holds. Call it in the transaction that pushes the result."""
    return _settle(
        submission,
        state=State.DONE,
        verdict=report.verdict,
        score=report.score,
        max_score=report.max_score,
        report=report.to_json(),
        judged_at=timezone.now(),
        fault="",
    )


def name_mistakes(*, submission: Submission, report: Report) -> None:
    """Store the report again, now that it says which mistakes were made. The verdict is the one that is stored."""
    Submission.objects.filter(pk=submission.pk, state=State.DONE).update(report=report.to_json())


def fail(*, submission: Submission, fault: str) -> None:
    """The platform failed: try again later, or hold the row when trying again will not help."""
    if submission.tries >= MAX_TRIES or _same_source_is_held(submission):
        if _settle(submission, state=State.HELD, fault=fault):
            log.error("submission %d is held: %s", submission.pk, fault)
        return
    pause = FIRST_PAUSE * 2 ** (submission.tries - 1)
    if _settle(submission, state=State.QUEUED, fault=fault, not_before=timezone.now() + pause):
        log.warning("submission %d will be tried again in %s: %s", submission.pk, pause, fault)


def put_back(*, submission: Submission, reason: str) -> None:
    """This worker cannot grade at all: leave the row to others at once, and do not count the try."""
    if _settle(submission, state=State.QUEUED, not_before=timezone.now(), tries=_ONE_TRY_LESS):
        log.error("submission %d went back into the queue, nothing is graded here: %s", submission.pk, reason)


def hand_back(*, submission: Submission) -> None:
    """This worker is stopping: whoever comes next takes the row at once, and the try does not count."""
    if _settle(submission, state=State.QUEUED, not_before=timezone.now(), tries=_ONE_TRY_LESS):
        log.info("submission %d went back into the queue, this worker stops", submission.pk)


def hold_exhausted() -> None:
    """Hold the rows that lost their worker in each of their tries."""
    for pk, token in Submission.objects.exhausted(timezone.now()).values_list("pk", "claim_token"):
        if _change(pk, token, state=State.HELD, fault=WORKER_LOST):
            log.error("submission %d is held: %s", pk, WORKER_LOST)


def release(*, submission: Submission) -> bool:
    """An operator's retry of a held row: it queues again with all its tries. False when it was not held."""
    held = Submission.objects.filter(pk=submission.pk, state=State.HELD)
    if not held.update(state=State.QUEUED, tries=0, not_before=timezone.now(), fault=""):
        return False
    wakeups.after_commit()
    return True


def cancel(*, submission: Submission) -> bool:
    """An operator gives a row up: it is never graded and costs no attempt. False when it was being graded or done."""
    waiting = Submission.objects.filter(pk=submission.pk, state__in=(State.QUEUED, State.HELD))
    return bool(waiting.update(state=State.CANCELLED, **_NOWHERE))


def _same_source_is_held(submission: Submission) -> bool:
    others = Submission.objects.filter(revision=submission.revision_id, source_digest=submission.source_digest)
    return others.filter(state=State.HELD).exists()


def _settle(submission: Submission, **values: Any) -> bool:
    """End this worker's claim with `values`, unless another worker has claimed the row since."""
    mine = _change(submission.pk, submission.claim_token, **values)
    if not mine:
        log.warning("submission %d is no longer ours; what this worker found is dropped", submission.pk)
    return mine


def _change(pk: int, token: UUID | None, **values: Any) -> bool:
    mine = Submission.objects.filter(pk=pk, claim_token=token, state=State.RUNNING)
    return bool(mine.update(claim_token=None, lease_until=None, ready=False, **values))
