"""Enrolling, inviting and helping people back in. Each function is one act with all that belongs to it."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from django.contrib.auth.tokens import PasswordResetTokenGenerator
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.urls import reverse
from django.utils import timezone
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode

from courses import usernames
from courses.models import TEACHING, Course, Enrolment, EnrolmentRequest, Invitation, Role

if TYPE_CHECKING:
    from django.contrib.auth.models import User

INVITATION_LIFETIME = timedelta(days=14)
MOST_REQUESTS = 1000
"""Names that the teachers of one course may have asked for in that time."""


class CannotEnrol(Exception):
    """The text tells the person what to do."""


class UsernameTaken(Exception):
    """The text tells the person what to do."""


@transaction.atomic
def enrol(*, user: User, course: Course, role: Role = Role.LEARNER) -> Enrolment:
    """Enrol, or change the role of someone who is enrolled."""
    requests = EnrolmentRequest.objects.filter(
        user=user, course=course
    )  # first, as when they are answered: no deadlock
    requests.update(answer=EnrolmentRequest.Answer.YES, answered_at=timezone.now())
    present = Enrolment.objects.select_for_update().filter(user=user, course=course).first()
    taught = present is not None and (present.has_taught or present.role in TEACHING)
    return Enrolment.objects.update_or_create(
        user=user, course=course, defaults={"role": role, "has_taught": taught or role in TEACHING}
    )[0]


@transaction.atomic
def remove(enrolment: Enrolment) -> None:
    """Take somebody out of a course. That they taught there is remembered where else they are."""
    if enrolment.has_taught:
        Enrolment.objects.filter(user=enrolment.user_id).update(has_taught=True)
    enrolment.delete()


def enrol_by_name(*, username: str, course: Course, role: Role, by: User) -> Enrolment | None:
    """Change the role of someone who is enrolled; ask everybody else, who may not even exist, and return None."""
    person = usernames.find(username)
    if person and Enrolment.objects.filter(user=person, course=course).exists():
        return enrol(user=person, course=course, role=role)
    _ask(typed=username, person=person if person and person.is_active else None, course=course, role=role, by=by)
    return None


@transaction.atomic
def _ask(*, typed: str, person: User | None, course: Course, role: Role, by: User) -> None:
    """Whoever has said no is not asked again for a while, of which nothing is to be seen here."""
    now, name = timezone.now(), usernames.canonical(typed)[:150]
    requests = EnrolmentRequest.objects.filter(course=course)
    requests.filter(expires_at__lte=now).delete()
    if requests.exclude(name=name).count() >= MOST_REQUESTS:
        raise CannotEnrol(f"{MOST_REQUESTS} people have been asked in the last 14 days. Invite more with a link.")
    fresh: dict[str, Any] = {"typed": typed.strip(), "user": person, "role": role, "created_by": by}
    fresh |= {"expires_at": now + INVITATION_LIFETIME, "withdrawn": False}
    request, _ = requests.select_for_update().get_or_create(name=name, defaults=fresh | {"course": course})
    refused = request.answer == EnrolmentRequest.Answer.NO and request.user == person
    if not refused or (request.answered_at and request.answered_at < now - INVITATION_LIFETIME):
        fresh |= {"answer": EnrolmentRequest.Answer.NONE, "answered_at": None}
    requests.filter(pk=request.pk).update(**fresh)


@transaction.atomic
def answer(*, request: int, user: User, yes: bool) -> Enrolment | None:
    """A person's yes or no to a request to them. Raises `CannotEnrol` if it can no longer be answered."""
    found = EnrolmentRequest.objects.open(timezone.now()).select_for_update().filter(pk=request, user=user).first()
    present = Enrolment.objects.filter(user=user, course=found.course).first() if found else None
    if found and present and found.answer == EnrolmentRequest.Answer.YES:
        return present  # a double click
    if found is None or found.answer == EnrolmentRequest.Answer.YES:
        raise CannotEnrol("This request was answered already, was withdrawn, or is older than 14 days.")
    if yes:
        return _raise_role(user, found.course, Role(found.role))
    found.answer, found.answered_at = EnrolmentRequest.Answer.NO, timezone.now()
    found.save(update_fields=["answer", "answered_at"])
    return None


def join_by_code(*, user: User, code: str) -> Enrolment:
    """Enrol as a learner by a course's code; a role held already stays as it is."""
    course = Course.objects.filter(enrolment_code=code.strip()).exclude(enrolment_code="").first()
    if course is None:
        raise CannotEnrol("No course has this code. Codes are case-sensitive; ask your instructor for it.")
    return _raise_role(user, course, Role.LEARNER)


def invite(*, course: Course, by: User, role: Role, note: str) -> Invitation:
    return Invitation.objects.create(
        course=course,
        created_by=by,
        role=role,
        note=note,
        token=secrets.token_urlsafe(24),
        expires_at=timezone.now() + INVITATION_LIFETIME,
    )


@transaction.atomic
def sign_up(*, token: str, create: Callable[[], User]) -> User:
    """Make an account with an invitation: both, or neither. Raises `CannotEnrol` or `UsernameTaken`."""
    invitation = _open(token)
    try:
        with transaction.atomic():
            user = create()
    except (IntegrityError, ValidationError):  # somebody else took the name after the form had been checked
        raise UsernameTaken(usernames.TAKEN) from None
    _use(invitation, user)
    return user


@transaction.atomic
def accept(*, token: str, user: User) -> Enrolment:
    """Use up an invitation. A role held already is only ever raised, never lowered."""
    return _use(_open(token), user)


def _open(token: str) -> Invitation:
    """The invitation, ours until the transaction ends: whoever sends the same link meanwhile waits, and is refused."""
    invitation = Invitation.objects.open(timezone.now()).select_for_update().filter(token=token).first()
    if invitation is None:
        raise CannotEnrol("This invitation was used already or has run out. Ask for a new one.")
    return invitation


def _use(invitation: Invitation, user: User) -> Enrolment:
    invitation.accepted_by = user
    invitation.save(update_fields=["accepted_by"])
    return _raise_role(user, invitation.course, Role(invitation.role))


def _raise_role(user: User, course: Course, role: Role) -> Enrolment:
    """Enrol; a role held already is only ever raised, never lowered."""
    present = Enrolment.objects.filter(user=user, course=course).first()
    ranks = list(Role)
    if present and ranks.index(Role(present.role)) >= ranks.index(role):
        return present
    return enrol(user=user, course=course, role=role)


def reset_path(person: User) -> str:
    """Path of a page where `person` chooses a new password: good once, and for a limited time."""
    uid = urlsafe_base64_encode(force_bytes(person.pk))
    return reverse("courses:password_reset_confirm", args=[uid, reset_links.make_token(person)])


class ResetLinks(PasswordResetTokenGenerator):
    """Links that also end when the person's powers change, their courses, or who manages these.

    A teacher who may help somebody today must not keep a link for the day when they teach, or learn elsewhere.
    """

    def _make_hash_value(self, user: User, timestamp: int) -> str:
        own = Enrolment.objects.filter(user=user.pk)
        managers = Enrolment.objects.filter(course__in=own.values("course"), role=Role.INSTRUCTOR)
        standing = [
            user.is_staff,
            user.is_superuser,
            sorted(own.values_list("course", "role")),
            sorted(managers.values_list("course", "user")),
        ]
        return f"{super()._make_hash_value(user, timestamp)}{standing}"


reset_links = ResetLinks()
