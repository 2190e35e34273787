"""Slow guessing of passwords and course codes down. Counted in the database, which every web process shares."""

from __future__ import annotations

from datetime import timedelta

from django.utils import timezone

from courses.models import SignInFailure

WINDOW = timedelta(minutes=15)
PER_USERNAME = 8
PER_ADDRESS = 60  # a whole classroom may share one address

TOO_MANY = "Too many wrong passwords. Wait a quarter of an hour, or ask your instructor for a reset link."


def too_many(*, username: str, address: str) -> bool:
    recent = SignInFailure.objects.filter(at__gt=timezone.now() - WINDOW)
    return (
        recent.filter(username=_folded(username)).count() >= PER_USERNAME
        or recent.filter(address=address).count() >= PER_ADDRESS
    )


def failed(*, username: str, address: str) -> None:
    SignInFailure.objects.filter(at__lte=timezone.now() - WINDOW).delete()
    SignInFailure.objects.create(username=_folded(username), address=address)


def succeeded(*, username: str) -> None:
    SignInFailure.objects.filter(username=_folded(username)).delete()


def _folded(username: str) -> str:
    return username.strip().casefold()[:150]
