"""Whose submissions may be read, and whose exercises managed. Built on the courses' own rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db.models import Q

from courses import access
from courses.models import Item, ItemQuerySet
from grader.models import Problem, ProblemQuerySet, Submission, SubmissionQuerySet

if TYPE_CHECKING:
    from django.contrib.auth.models import AnonymousUser, User


def exercises(user: User | AnonymousUser) -> ItemQuerySet:
    """Exercises of the courses they can read."""
    return access.items(user).filter(kind=Item.Kind.EXERCISE)


def managed_exercises(user: User | AnonymousUser) -> ItemQuerySet:
    return access.managed_items(user).filter(kind=Item.Kind.EXERCISE)


def submissions(user: User | AnonymousUser) -> SubmissionQuerySet:
    """Their own in courses they can still read, and everybody's in courses they teach."""
    own = Q(user=user.pk, item__course__in=access.courses(user))
    return Submission.objects.filter(own | Q(item__course__in=access.taught(user)))


def taught_submissions(user: User | AnonymousUser) -> SubmissionQuerySet:
    return Submission.objects.filter(item__course__in=access.taught(user))


def own_submissions(user: User | AnonymousUser) -> SubmissionQuerySet:
    return Submission.objects.filter(user=user.pk, item__course__in=access.courses(user))


def problems(user: User | AnonymousUser) -> ProblemQuerySet:
    """Reports about exercises of the courses they teach."""
    return Problem.objects.filter(submission__item__course__in=access.taught(user))
