"""Moments as people read and type them: in a time zone that is always named. Nothing else formats a moment.

A course may have a zone of its own; everything outside a course is in the site's.
"""

from __future__ import annotations

from datetime import UTC, datetime, tzinfo
from functools import lru_cache
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo, available_timezones

from django.utils import timezone
from django.utils.formats import date_format

if TYPE_CHECKING:
    from courses.models import Course

STYLES = {"long": "j F Y, H:i", "exact": "j F Y, H:i:s", "medium": "j F, H:i", "short": "j M, H:i"}
OF_ANOTHER_YEAR = STYLES | {"medium": "j F Y, H:i", "short": "j M Y, H:i"}
TWICE = "{typed} happens twice in {zone}, because clocks go back then. Choose a time before or after that hour."
NEVER = "{typed} does not exist in {zone}, because clocks go forward then. Choose an earlier or a later time."


class NoSuchMoment(ValueError):
    """What was typed names no moment, or two; the message says why and what to do."""


@lru_cache(maxsize=1)
def zones() -> tuple[str, ...]:
    """The names that a course or this site may use, such as Europe/Berlin."""
    return tuple(sorted(available_timezones() - {"localtime", "Factory"}))


def zone_of(course: Course | None) -> tzinfo:
    """The course's zone; the site's where there is no course, or the course has none."""
    return ZoneInfo(course.time_zone) if course and course.time_zone else timezone.get_default_timezone()


def text(moment: datetime, course: Course | None, style: str = "long") -> str:
    """As "4 May 2026, 14:00 CEST": one of `STYLES`, with the name of the zone."""
    zone = zone_of(course)
    local = moment.astimezone(zone)
    styles = STYLES if local.year == timezone.now().astimezone(zone).year else OF_ANOTHER_YEAR
    return f"{date_format(local, styles[style])} {_zone_name(local)}"


def from_local(typed: datetime, zone: tzinfo) -> datetime:
    """The moment that a clock in `zone` calls `typed` (without a zone), in UTC: Python counts hours of one zone by its
    clocks. Raise `NoSuchMoment` if it is not exactly one.
    """
    first, second = (typed.replace(tzinfo=zone, fold=fold) for fold in (0, 1))
    before, after = first.utcoffset(), second.utcoffset()
    if before == after:
        return first.astimezone(UTC)
    assert before is not None
    assert after is not None
    sentence = TWICE if before > after else NEVER
    raise NoSuchMoment(sentence.format(typed=date_format(typed, STYLES["long"]), zone=zone))


def _zone_name(local: datetime) -> str:
    """CEST, or UTC+05:45 where a zone has no letters of its own."""
    name = local.tzname() or ""
    return name if name.isalpha() else f"UTC{local.isoformat()[-6:]}"
