"""May this person hand in this item now? The only place that decides; every page and the queue ask here."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from courses import access, moments
from courses.models import Enrolment, Item
from courses.results import credit_left, late_days

if TYPE_CHECKING:
    from django.contrib.auth.models import User


MOST_HELD = 3
ENOUGH_HELD = (
    f"Grading {MOST_HELD} of your submissions here failed on our side. They are kept and cost you nothing, and we have "
    "been told: please hand in again once they are graded."
)
MOST_WAITING = 5
ENOUGH_WAITING = (
    f"{MOST_WAITING} of your submissions here are still waiting to be graded. They are saved; submit again as soon as "
    "one of them is graded."
)


@dataclass(frozen=True, slots=True)
class Decision:
    """`sentence` tells the person why not, or what to know (attempts left, lateness); it may be empty."""

    allowed: bool
    sentence: str = ""


def may_submit(
    *, user: User, item: Item, attempts_used: int, at: datetime, held: int = 0, waiting: int = 0
) -> Decision:
    """Whether `user`, who has used `attempts_used` attempts, may submit `item` at the moment `at`.

    `held` of their submissions could not be graded: none of these cost anything, so there may not be many. `waiting`
    are still in the queue, which is everybody's. Those who teach the course may always try an item; a held item still
    accepts work.
    """
    if waiting >= MOST_WAITING:
        return Decision(False, ENOUGH_WAITING)
    if access.standing(user, item.course).teaches:
        return Decision(True, "You teach this course: dates and attempts do not bind you.")
    if not Enrolment.objects.filter(user=user, course_id=item.course_id).exists():
        return Decision(False, "Enrol in this course first.")
    refusal = _closed(item, at) or _used_up(item, attempts_used) or (ENOUGH_HELD if held >= MOST_HELD else "")
    return Decision(False, refusal) if refusal else Decision(True, _notice(item, attempts_used, at))


def is_open(item: Item, at: datetime) -> bool:
    """Whether learners may see the item's questions or statement."""
    return item.opens_at is None or item.opens_at <= at


def is_ready(item: Item) -> bool:
    """Whether there is anything to work on: an exercise is, once it is published."""
    return item.exercise is None or item.exercise.published_id is not None


def _closed(item: Item, at: datetime) -> str:
    if item.opens_at and not is_open(item, at):
        return f"This opens on {moments.text(item.opens_at, item.course)}."
    if item.due_at and credit_left(item, at) <= 0:
        due = moments.text(item.due_at, item.course)
        return f"This closed: it was due on {due}, and nothing handed in now would count."
    return ""


def _used_up(item: Item, attempts_used: int) -> str:
    if item.attempts is None or attempts_used < item.attempts:
        return ""
    return "You have used your only attempt." if item.attempts == 1 else f"You have used all {item.attempts} attempts."


def _notice(item: Item, attempts_used: int, at: datetime) -> str:
    parts = []
    if item.attempts is not None:
        left = item.attempts - attempts_used
        parts.append(f"{left} of {item.attempts} attempts left.")
    if item.due_at and late_days(item, at):
        parts.append(f"It was due on {moments.text(item.due_at, item.course)}: {_cost_of_lateness(item, at)}.")
    if item.held:
        parts.append("Grading of this exercise is paused: your work is kept and graded when it resumes.")
    return " ".join(parts)


def _cost_of_lateness(item: Item, at: datetime) -> str:
    credit = credit_left(item, at)
    return "it now counts in full, marked as late" if credit == 1 else f"it now counts {credit:.0%}"
