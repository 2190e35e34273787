"""Who may see what. Every protected row is reached through a queryset made here."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.contrib.auth import get_user_model
from django.contrib.auth.models import AnonymousUser
from django.db.models import Q, QuerySet

from courses.models import (
    TEACHING,
    Course,
    Enrolment,
    EnrolmentQuerySet,
    EnrolmentRequest,
    EnrolmentRequestQuerySet,
    Invitation,
    InvitationQuerySet,
    Item,
    ItemQuerySet,
    Lesson,
    Module,
    QuizAttempt,
    Result,
    Role,
)

if TYPE_CHECKING:
    from django.contrib.auth.models import User


@dataclass(frozen=True, slots=True)
class Standing:
    """`teaches`: reads the gradebook and submissions. `manages`: also people, and holding exercises."""

    teaches: bool
    manages: bool


def is_admin(user: User | AnonymousUser) -> bool:
    return user.is_active and user.is_staff


def courses(user: User | AnonymousUser) -> QuerySet[Course]:
    """Courses they may read: their own; an admin's are all."""
    return _courses(user, tuple(Role))


def taught(user: User | AnonymousUser) -> QuerySet[Course]:
    """Courses whose gradebook and submissions they may read."""
    return _courses(user, TEACHING)


def managed(user: User | AnonymousUser) -> QuerySet[Course]:
    """Courses whose people and exercises they may manage."""
    return _courses(user, (Role.INSTRUCTOR,))


def standing(user: User | AnonymousUser, course: Course) -> Standing:
    """What they may do in a course they can read. One query."""
    if is_admin(user):
        return Standing(teaches=True, manages=True)
    role = Enrolment.objects.filter(user=user.pk, course=course).values_list("role", flat=True).first()
    return Standing(teaches=role in TEACHING, manages=role == Role.INSTRUCTOR)


def modules(user: User | AnonymousUser) -> QuerySet[Module]:
    return Module.objects.filter(course__in=courses(user))


def lessons(user: User | AnonymousUser) -> QuerySet[Lesson]:
    return Lesson.objects.filter(module__course__in=courses(user))


def items(user: User | AnonymousUser) -> ItemQuerySet:
    return Item.objects.filter(course__in=courses(user))


def managed_items(user: User | AnonymousUser) -> ItemQuerySet:
    return Item.objects.filter(course__in=managed(user))


def results(user: User | AnonymousUser) -> QuerySet[Result]:
    return Result.objects.filter(_own_or_taught(user))


def quiz_attempts(user: User | AnonymousUser) -> QuerySet[QuizAttempt]:
    return QuizAttempt.objects.filter(_own_or_taught(user))


def managed_enrolments(user: User | AnonymousUser) -> EnrolmentQuerySet:
    return Enrolment.objects.filter(course__in=managed(user))


def invitations(user: User | AnonymousUser) -> InvitationQuerySet:
    return Invitation.objects.filter(course__in=managed(user))


def enrolment_requests(user: User | AnonymousUser) -> EnrolmentRequestQuerySet:
    """Requests of the courses they manage, of which they may see what was typed and nothing else."""
    return EnrolmentRequest.objects.filter(course__in=managed(user))


def requests_to(user: User | AnonymousUser) -> EnrolmentRequestQuerySet:
    """Requests that they may answer themselves, also those answered or withdrawn."""
    return EnrolmentRequest.objects.filter(user=user.pk) if user.is_authenticated else EnrolmentRequest.objects.none()


def resettable(user: User | AnonymousUser) -> QuerySet[User]:
    """People whose password they may reset: learners of their courses who teach nowhere and administer nothing.

    Whoever is also in somebody else's course has more to lose than a teacher gave them: such people, and those who once
    taught, only admins may help.
    """
    people = get_user_model().objects.filter(is_active=True, is_staff=False, is_superuser=False)
    learners = Enrolment.objects.filter(course__in=managed(user), role=Role.LEARNER)
    beyond = Q(role__in=TEACHING)
    if not is_admin(user):
        beyond |= Q(has_taught=True) | ~Q(course__in=managed(user))
    others = Enrolment.objects.filter(beyond)
    return people.filter(pk__in=learners.values("user")).exclude(pk__in=others.values("user"))


def _courses(user: User | AnonymousUser, roles: tuple[Role, ...]) -> QuerySet[Course]:
    if is_admin(user):
        return Course.objects.all()
    if not user.is_authenticated or not user.is_active:
        return Course.objects.none()
    return Course.objects.filter(pk__in=Enrolment.objects.filter(user=user, role__in=roles).values("course"))


def _own_or_taught(user: User | AnonymousUser) -> Q:
    """Rows with `user` and `item`: their own, and those of courses they teach."""
    own = Q(user=user.pk, item__course__in=courses(user))
    return own | Q(item__course__in=taught(user))
