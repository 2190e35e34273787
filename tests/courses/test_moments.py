from __future__ import annotations

import re
from contextlib import nullcontext
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from django.utils import timezone
from hypothesis import example, given
from hypothesis import strategies as st

from courses import moments
from courses.models import Course

BASE = Path(__file__).resolve().parent.parent.parent
GAPS = [timedelta(minutes=minutes) for minutes in (-60, -30, 30, 60)]
NOON = datetime(2026, 7, 1, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("zone", "text"),
    [
        ("", "1 July 2026, 12:00 UTC"),
        ("UTC", "1 July 2026, 12:00 UTC"),
        ("Europe/Berlin", "1 July 2026, 14:00 CEST"),
        ("America/New_York", "1 July 2026, 08:00 EDT"),
        ("Asia/Kathmandu", "1 July 2026, 17:45 UTC+05:45"),
    ],
)
def test_a_moment_is_told_in_the_zone_of_its_course_and_names_it(zone: str, text: str) -> None:
    assert moments.text(NOON, Course(time_zone=zone)) == text


def test_outside_a_course_it_is_the_sites() -> None:
    assert moments.text(NOON, None, "long") == "1 July 2026, 12:00 UTC"


@pytest.mark.parametrize(("style", "month"), [("short", "Jul"), ("medium", "July")])
def test_only_another_year_is_told(style: str, month: str) -> None:
    year = timezone.now().year
    for then, told in ((year, ""), (year - 1, f" {year - 1}"), (year + 1, f" {year + 1}")):
        assert moments.text(NOON.replace(year=then), None, style) == f"1 {month}{told}, 12:00 UTC"


def test_the_two_hours_of_one_name_are_told_apart() -> None:
    berlin = Course(time_zone="Europe/Berlin")
    first = datetime(2026, 10, 25, 0, 30, tzinfo=UTC)
    assert [moments.text(at, berlin) for at in (first, first + timedelta(hours=1))] == [
        "25 October 2026, 02:30 CEST",
        "25 October 2026, 02:30 CET",
    ]


@given(
    moment=st.datetimes(datetime(2020, 1, 1), datetime(2035, 1, 1)),  # noqa: DTZ001 - hypothesis wants them so
    zone=st.sampled_from(["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kolkata", "UTC"]),
)
@example(moment=datetime(2026, 10, 25, 0, 30), zone="Europe/Berlin")  # noqa: DTZ001
@example(moment=datetime(2026, 11, 1, 6, 30), zone="America/New_York")  # noqa: DTZ001
def test_what_is_shown_is_read_back_or_refused(moment: datetime, zone: str) -> None:
    at, there = moment.replace(tzinfo=UTC), ZoneInfo(zone)
    shown = at.astimezone(there).replace(tzinfo=None, fold=0)
    shows_it_twice = any((at + gap).astimezone(there).replace(tzinfo=None, fold=0) == shown for gap in GAPS)
    with pytest.raises(moments.NoSuchMoment, match="happens twice") if shows_it_twice else nullcontext():
        assert moments.from_local(shown, there) == at


def test_every_zone_that_is_offered_exists() -> None:
    assert {"UTC", "Europe/Berlin", "America/New_York"} <= set(moments.zones())
    assert all(ZoneInfo(name) for name in moments.zones())


def test_moments_are_written_in_one_place_only() -> None:
    """Anywhere else the zone would be forgotten."""
    templates = [
        path for path in (BASE / "templates").rglob("*.html") if re.search(r"\|(date|time)\b", path.read_text())
    ]
    assert templates == []
    modules = [path for app in ("config", "courses", "exercises", "grader") for path in (BASE / app).rglob("*.py")]
    writers = [path for path in modules if re.search(r"date_format|strftime|localtime\(|:%H", path.read_text())]
    assert writers == [BASE / "courses" / "moments.py"]
