"""Enrolling, inviting and helping people back in. Each function is one act with all that belongs to it."""

from __future__ import annotations

import secrets
from datetime import timedelta
from typing import TYPE_CHECKING

from django.contrib.auth import get_user_model
from django.contrib.auth.tokens import default_token_generator
from django.db import transaction
from django.urls import reverse
from django.utils import timezone
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode

from courses.models import Course, Enrolment, Invitation, Role

if TYPE_CHECKING:
    from django.contrib.auth.models import User

INVITATION_LIFETIME = timedelta(days=14)


class CannotEnrol(Exception):
    """The text tells the person what to do."""


def enrol(*, user: User, course: Course, role: Role = Role.LEARNER) -> Enrolment:
    """Enrol, or change the role of someone who is enrolled."""
    return Enrolment.objects.update_or_create(user=user, course=course, defaults={"role": role})[0]


def enrol_by_name(*, username: str, course: Course, role: Role) -> Enrolment:
    user = get_user_model().objects.filter(username=username.strip(), is_active=True).first()
    if user is None:
        raise CannotEnrol(f"Nobody here is called “{username}”. Check the username, or make an invitation.")
    return enrol(user=user, course=course, role=role)


def join_by_code(*, user: User, code: str) -> Enrolment:
    """Enrol as a learner by a course's code; a role held already stays as it is."""
    course = Course.objects.filter(enrolment_code=code.strip()).exclude(enrolment_code="").first()
    if course is None:
        raise CannotEnrol("No course has this code. Codes are case-sensitive; ask your instructor for it.")
    return Enrolment.objects.get_or_create(user=user, course=course)[0]


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
def accept(*, token: str, user: User) -> Enrolment:
    """Use up an invitation. A role held already is only ever raised, never lowered."""
    invitation = Invitation.objects.open(timezone.now()).select_for_update().filter(token=token).first()
    if invitation is None:
        raise CannotEnrol("This invitation was used already or has run out. Ask for a new one.")
    invitation.accepted_by = user
    invitation.save(update_fields=["accepted_by"])
    present = Enrolment.objects.filter(user=user, course=invitation.course).first()
    ranks = list(Role)
    if present and ranks.index(Role(present.role)) >= ranks.index(Role(invitation.role)):
        return present
    return enrol(user=user, course=invitation.course, role=Role(invitation.role))


def reset_path(person: User) -> str:
    """Path of a page where `person` chooses a new password: good once, and for a limited time."""
    uid = urlsafe_base64_encode(force_bytes(person.pk))
    return reverse("courses:password_reset_confirm", args=[uid, default_token_generator.make_token(person)])
