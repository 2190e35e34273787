"""Forgetting what no mark rests on: old sample runs, and the details of old reports. docs/settings.md says when."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.utils import timezone

from grader.models import Submission

log = logging.getLogger(__name__)

BATCH = 200
"""Rows changed at once: a web process that wants to write waits no longer than this takes."""


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
