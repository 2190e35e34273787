"""What people report about an exercise, and pausing the grading of one that is broken."""

from __future__ import annotations

from django.db import transaction

from courses.models import Item
from grader import queue, wakeups
from grader.models import Problem, Submission


def report(*, submission: Submission, text: str) -> Problem:
    """Reach the instructors' inbox with the submission pinned. The same words again are one report."""
    return Problem.objects.get_or_create(submission=submission, text=text.strip())[0]


def settle(*, problem: Problem) -> None:
    problem.settled = True
    problem.save(update_fields=["settled"])


def hold(*, item: Item) -> None:
    """Keep what is submitted for `item`, and grade nothing of it until it is released."""
    item.held = True
    item.save(update_fields=["held"])


@transaction.atomic
def release(*, item: Item) -> None:
    item.held = False
    item.save(update_fields=["held"])
    queue.end_rests()  # those of a class; of thousands, the sweeper goes on with the rest
    wakeups.after_commit()
