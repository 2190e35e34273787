"""Which browsers somebody has signed in with before: a signed cookie, so that strangers cannot delay them there."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.conf import settings
from django.core import signing
from django.http import HttpRequest, HttpResponse
from django.utils.crypto import constant_time_compare, salted_hmac

if TYPE_CHECKING:
    from django.contrib.auth.models import User

COOKIE = "known_browser"
SALT = "gradus known browser"
AGE = 180 * 24 * 3600
"""Seconds since somebody last signed in with this browser."""
MOST_PEOPLE = 20
"""Several people may share a browser; the last ones are known."""


@dataclass(frozen=True, slots=True)
class Known:
    """A browser by a random name, and a mark for each person, newest last: nobody can make one or make it another's."""

    browser: str
    marks: dict[str, str]


def known_as(request: HttpRequest, person: User) -> str:
    """The browser's name if this person has signed in with it since they chose their password, else nothing."""
    known = _read(request)
    return known.browser if constant_time_compare(known.marks.get(str(person.pk), ""), _mark(person)) else ""


def remember(response: HttpResponse, request: HttpRequest, person: User) -> None:
    """Call it once the person has proven who they are."""
    known = _read(request)
    marks = {pk: mark for pk, mark in known.marks.items() if pk != str(person.pk)} | {str(person.pk): _mark(person)}
    value = {"browser": known.browser, "marks": dict(list(marks.items())[-MOST_PEOPLE:])}
    response.set_cookie(
        COOKIE,
        signing.dumps(value, salt=SALT),
        max_age=AGE,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def _read(request: HttpRequest) -> Known:
    try:
        value = signing.loads(request.COOKIES.get(COOKIE, ""), salt=SALT, max_age=AGE)
    except signing.BadSignature:
        return Known(secrets.token_hex(8), {})
    return Known(value["browser"], value["marks"])


def _mark(person: User) -> str:
    """Changes with the password, so that a new one makes every browser a stranger."""
    return salted_hmac(SALT, f"{person.pk}:{person.password}").hexdigest()[:32]
