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
    """The person's password, as it can be told; the person is made if missing."""
    password = password_of(name)
    user = get_user_model().objects.filter(username=name).first()
    if user:
        return password if user.check_password(password) else "(the password you chose)"
    if role is None:
        get_user_model().objects.create_superuser(username=name, password=password)
        return password
    user = get_user_model().objects.create_user(username=name, password=password)
    for course in Course.objects.all():
        enrol(user=user, course=course, role=role)
    return password


def password_of(name: str) -> str:
    """Made from this installation's key, so that it can be printed again and is nobody else's."""
    return salted_hmac("gradus demo people", name).hexdigest()[:12]
