from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.management.base import BaseCommand, CommandError
from django.db import transaction
from django.utils.crypto import salted_hmac

from courses.models import Course, Role
from courses.people import enrol

PEOPLE = {"learner": Role.LEARNER, "instructor": Role.INSTRUCTOR, "admin": None}


class Command(BaseCommand):
    help = "Make a learner, an instructor and an admin to try the site with, and print their passwords."

    def handle(self, **options: Any) -> None:
        if not settings.DEMO:
            raise CommandError("Demo people exist only in the local default: set GRADUS_DEMO=1, without a SECRET_KEY.")
        for name, role in PEOPLE.items():
            self.stdout.write(f"  {name:<12} {present(name, role)}")


@transaction.atomic
def present(name: str, role: Role | None) -> str:
    """The person's password, as it can be told; the person is made if missing, and enrolled where they are not yet."""
    password = password_of(name)
    users = get_user_model().objects
    user = users.filter(username=name).first()
    chosen = user is not None and not user.check_password(password)
    if user is None:
        create = users.create_user if role else users.create_superuser
        user = create(username=name, password=password)
    if role:
        for course in Course.objects.exclude(enrolments__user=user):
            enrol(user=user, course=course, role=role)
    return "(the password you chose)" if chosen else password


def password_of(name: str) -> str:
    """Made from this installation's key, so that it can be printed again and is nobody else's."""
    return salted_hmac("gradus demo people", name).hexdigest()[:12]
