"""Results come in one per submission or quiz attempt; what they are worth is computed here."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from courses.models import Item, Result

if TYPE_CHECKING:
    from django.contrib.auth.models import User

DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Mark:
    """What an item is worth to a person: `share` in 0…1 after lateness, and the result it comes from."""

    result: Result
    share: float
    late_days: int

    @property
    def percent(self) -> float:
        return 100 * self.share


def push(*, item: Item, user: User, origin: str, raw: float, maximum: float, submitted_at: datetime) -> Result:
    """Record what `origin` (as "submission:12") earned. Pushing it again, after a regrade say, replaces it."""
    values = {"item": item, "user": user, "raw": raw, "maximum": maximum, "submitted_at": submitted_at}
    return Result.objects.update_or_create(origin=origin, defaults=values)[0]


def late_days(item: Item, submitted_at: datetime) -> int:
    """Days of 24 hours begun since work is late; 0 when in time. Clocks that change make no day longer or shorter."""
    if item.late_from is None or submitted_at < item.late_from:
        return 0
    return 1 + (submitted_at - item.late_from) // DAY


def credit_left(item: Item, submitted_at: datetime) -> float:
    """The part of the credit, in 0…1, that is left for something handed in at `submitted_at`."""
    return max(0.0, 1 - late_days(item, submitted_at) * item.late_penalty_percent_per_day / 100)


def mark(item: Item, result: Result) -> Mark:
    share = result.raw / result.maximum if result.maximum else 0.0
    return Mark(result, share * credit_left(item, result.submitted_at), late_days(item, result.submitted_at))


def best_or_last(item: Item, results: Iterable[Result]) -> Mark | None:
    """The one result of a person that counts: the last, or the best (of equals, the earliest)."""
    marks = sorted((mark(item, result) for result in results), key=lambda one: one.result.submitted_at)
    if not marks:
        return None
    return marks[-1] if item.counts == Item.Counts.LAST else max(marks, key=lambda one: one.share)


def total(marks: Iterable[tuple[Item, Mark | None]]) -> float | None:
    """Weighted share, in 0…1, over these items; nothing handed in counts 0. None when none of them has weight."""
    pairs = [(float(item.weight), one.share if one else 0.0) for item, one in marks]
    weight = sum(part for part, _ in pairs)
    return sum(part * share for part, share in pairs) / weight if weight else None
