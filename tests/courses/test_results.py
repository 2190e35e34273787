from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.contrib.auth.models import User
from hypothesis import given
from hypothesis import strategies as st

from courses.models import Item, Result
from courses.moments import from_local
from courses.results import best_or_last, credit_left, late_days, push, total

DUE = datetime(2026, 5, 4, 12, tzinfo=UTC)
DAY = timedelta(days=1)


def result(raw: float, at: datetime = DUE - DAY, maximum: float = 10) -> Result:
    return Result(raw=raw, maximum=maximum, submitted_at=at)


@pytest.mark.parametrize(
    ("after", "days"),
    [
        (-DAY, 0),
        (timedelta(0), 0),
        (timedelta(seconds=59.999999), 0),
        (timedelta(minutes=1), 1),
        (DAY + timedelta(seconds=59.999999), 1),
        (DAY + timedelta(minutes=1), 2),
    ],
)
def test_the_due_minute_counts_whole_and_every_day_begun_after_it(after: timedelta, days: int) -> None:
    assert late_days(Item(due_at=DUE), DUE + after) == days


@pytest.mark.parametrize("seconds", [0, 1, 59])
def test_a_due_time_with_seconds_ends_with_its_minute(seconds: int) -> None:
    item = Item(due_at=DUE + timedelta(seconds=seconds))
    assert late_days(item, DUE + timedelta(seconds=59.9)) == 0
    assert late_days(item, DUE + timedelta(seconds=60)) == 1


@pytest.mark.parametrize(
    ("zone", "due"),
    [
        ("Europe/Berlin", (2026, 3, 28, 23, 59)),
        ("Europe/Berlin", (2026, 10, 24, 23, 59)),
        ("America/New_York", (2026, 3, 7, 23, 59)),
        ("America/New_York", (2026, 10, 31, 23, 59)),
    ],
)
def test_a_late_day_has_24_hours_also_when_clocks_change(zone: str, due: tuple[int, int, int, int, int]) -> None:
    item = Item(due_at=from_local(datetime(*due), ZoneInfo(zone)))  # noqa: DTZ001 - as it is typed
    midnight = item.late_from
    assert midnight
    assert midnight.astimezone(ZoneInfo(zone)).hour == 0
    moments = (
        midnight - timedelta(microseconds=1),
        midnight,
        midnight + DAY - timedelta(microseconds=1),
        midnight + DAY,
    )
    assert [late_days(item, moment) for moment in moments] == [0, 1, 1, 2]
    assert (midnight + DAY).astimezone(ZoneInfo(zone)).hour in (1, 23)


@given(penalty=st.integers(0, 100), hours=st.integers(-100, 2000))
def test_credit_never_leaves_its_range_nor_grows_with_time(penalty: int, hours: int) -> None:
    item = Item(due_at=DUE, late_penalty_percent_per_day=penalty)
    now, later = (credit_left(item, DUE + timedelta(hours=each)) for each in (hours, hours + 5))
    assert 0 <= later <= now <= 1


def test_best_is_judged_after_the_penalty() -> None:
    item = Item(due_at=DUE, late_penalty_percent_per_day=30)
    early, late = result(8), result(10, DUE + DAY)
    mark = best_or_last(item, [late, early])
    assert mark is not None
    assert mark.result is early
    assert mark.percent == 80


def test_of_equals_the_earliest_counts() -> None:
    first, second = result(5, DUE - 2 * DAY), result(5, DUE - DAY)
    mark = best_or_last(Item(), [second, first])
    assert mark is not None
    assert mark.result is first


def test_last_counts_even_if_it_is_worse() -> None:
    item = Item(counts=Item.Counts.LAST)
    mark = best_or_last(item, [result(3, DUE - DAY), result(9, DUE - 2 * DAY)])
    assert mark is not None
    assert mark.share == 0.3


def test_nothing_handed_in_has_no_mark_but_counts_in_the_total() -> None:
    assert best_or_last(Item(), []) is None
    full = best_or_last(Item(), [result(10)])
    assert total([(Item(weight=1), full), (Item(weight=3), None)]) == 0.25
    assert total([]) is None


def test_pushing_an_origin_again_replaces_its_result(quiz_item: Item, learner: User) -> None:
    for raw in (1, 2):
        push(item=quiz_item, user=learner, origin="submission:7", raw=raw, maximum=3, submitted_at=DUE)
    assert [one.raw for one in Result.objects.all()] == [2]
