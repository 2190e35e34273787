"""Who is graded next, and by whom. The rows are the queue; every change of state is one conditional UPDATE."""

from __future__ import annotations

import logging
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

from django.db import transaction
from django.db.models import F, Value
from django.db.models.functions import Greatest
from django.utils import timezone

from exercises.package import Package
from grader import wakeups
from grader.judge import worst_wall_seconds
from grader.models import MAX_TRIES, State, Submission
from grader.report import Report

log = logging.getLogger(__name__)

LEASE_MARGIN = timedelta(seconds=15)  # beside the judging itself: a fresh zygote, and recording
FIRST_PAUSE = timedelta(seconds=5)
UNAVAILABLE_PAUSE = timedelta(seconds=30)
_ONE_TRY_LESS = Greatest(F("tries") - 1, 0)
WORKER_LOST = "The worker that graded this ended before it could report."


def worst_time(package: Package) -> timedelta:
    """Longer than a worker can need for one submission; a claim older than this has lost its worker."""
    return timedelta(seconds=worst_wall_seconds(package)) + LEASE_MARGIN


def claim(*, oldest: bool = False) -> Submission | None:
    """Take the next row for this worker, under a fresh token and a lease; None when there is nothing to do.

    `oldest` ignores every preference: a worker that asks so now and then lets nobody starve.
    """
    now, token = timezone.now(), uuid4()
    rows = Submission.objects.claimable(now).select_for_update(skip_locked=True)
    ordered = rows.oldest_first() if oldest else rows.in_order(now)
    with transaction.atomic():  # SKIP LOCKED wants a transaction; the work is one statement
        Submission.objects.filter(pk=ordered.values("pk")[:1]).update(
            state=State.RUNNING,
            claim_token=token,
            claimed_at=now,
            lease_until=Value(now) + F("worst_time"),
            tries=F("tries") + 1,
        )
    mine = Submission.objects.select_related("revision", "item", "user").defer("revision__files")
    return mine.filter(claim_token=token).first()


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
    """This worker cannot grade at all: leave the row to others, and do not count the try."""
    not_before = timezone.now() + UNAVAILABLE_PAUSE
    if _settle(submission, state=State.QUEUED, not_before=not_before, tries=_ONE_TRY_LESS):
        log.error("submission %d went back into the queue, nothing is graded here: %s", submission.pk, reason)


def hand_back(*, submission: Submission) -> None:
    """This worker is stopping: whoever comes next takes the row at once, and the try does not count."""
    if _settle(submission, state=State.QUEUED, tries=_ONE_TRY_LESS):
        log.info("submission %d went back into the queue, this worker stops", submission.pk)


def hold_exhausted() -> None:
    """Hold what has lost its worker as often as it may."""
    for pk, token in Submission.objects.exhausted(timezone.now()).values_list("pk", "claim_token"):
        if _change(pk, token, state=State.HELD, fault=WORKER_LOST):
            log.error("submission %d is held: %s", pk, WORKER_LOST)


def release(*, submission: Submission) -> bool:
    """An operator's retry of a held row: it queues again with all its tries. False when it was not held."""
    held = Submission.objects.filter(pk=submission.pk, state=State.HELD)
    if not held.update(state=State.QUEUED, tries=0, not_before=None, fault=""):
        return False
    wakeups.after_commit()
    return True


def cancel(*, submission: Submission) -> bool:
    """An operator gives a row up: it is never graded and costs no attempt. False when it was being graded or done."""
    waiting = Submission.objects.filter(pk=submission.pk, state__in=(State.QUEUED, State.HELD))
    return bool(waiting.update(state=State.CANCELLED))


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
    return bool(mine.update(claim_token=None, lease_until=None, **values))
