"""Forgetting what no mark rests on: old sample runs, and the details of old reports. docs/settings.md says when."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from django.conf import settings
from django.utils import timezone

from grader.models import Submission

if TYPE_CHECKING:
    from django.contrib.auth.models import User

    from courses.models import Item

log = logging.getLogger(__name__)

BATCH = 200
"""Rows changed at once: a web process that wants to write waits no longer than this takes."""


MOST_SAMPLE_RUNS = 20
"""Of one person at one item, so that nobody can fill the disk."""


@dataclass(frozen=True, slots=True)
class Removed:
    sample_runs: int
    reports: int

    @property
    def may_be_more(self) -> bool:
        return BATCH in (self.sample_runs, self.reports)

    def __str__(self) -> str:
        return f"{self.sample_runs} sample runs and {self.reports} reports removed"


NOTHING = Removed(0, 0)


def remove_batch() -> Removed:
    """Remove the next of what is older than the settings keep."""
    now = timezone.now()
    removed = Removed(
        sample_runs=_remove_sample_runs(_days_before(now, settings.GRADUS_KEEP_SAMPLE_RUNS)),
        reports=_remove_reports(_days_before(now, settings.GRADUS_KEEP_REPORTS), now),
    )
    if removed != NOTHING:
        log.info("%s", removed)
    return removed


def remove_all() -> Removed:
    batches = list(_batches())
    return Removed(sum(one.sample_runs for one in batches), sum(one.reports for one in batches))


def remove_sample_runs_beyond_limit(*, user: User, item: Item) -> None:
    """Of one person's ended sample runs at an item, keep the newest and those on which a problem was reported."""
    ended = Submission.objects.ended_sample_runs().filter(user=user, item=item).newest_first()
    beyond = list(ended.values_list("pk", flat=True)[MOST_SAMPLE_RUNS - 1 :])
    Submission.objects.filter(pk__in=beyond).delete()


def _batches() -> Iterator[Removed]:
    more = True
    while more:
        batch = remove_batch()
        more = batch.may_be_more
        yield batch


def _days_before(now: datetime, days: int) -> datetime | None:
    """None when everything is kept."""
    return now - timedelta(days=days) if days else None


def _remove_sample_runs(before: datetime | None) -> int:
    if before is None:
        return 0
    rows = list(Submission.objects.expendable_sample_runs(before).values_list("pk", flat=True)[:BATCH])
    Submission.objects.filter(pk__in=rows).delete()
    return len(rows)


def _remove_reports(before: datetime | None, now: datetime) -> int:
    if before is None:
        return 0
    rows = list(Submission.objects.expendable_reports(before).values_list("pk", flat=True)[:BATCH])
    return Submission.objects.filter(pk__in=rows).update(report=None, report_removed_at=now)
