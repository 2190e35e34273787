from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from courses import sign_in_limits
from courses.models import Course, Enrolment, SignInFailure

PAGES = ["courses:sign_in", "admin:login"]


@pytest.fixture
def person(admin: User) -> User:
    admin.set_password("correct horse")
    admin.save()
    return admin


def attempt(page: str, password: str, username: str = "admin") -> bool:
    """Whether the person is signed in afterwards."""
    client = Client()
    client.post(reverse(page), {"username": username, "password": password})
    return "_auth_user_id" in client.session


@pytest.mark.parametrize("page", PAGES)
def test_the_right_password_signs_in(person: User, page: str) -> None:
    assert attempt(page, "correct horse")


@pytest.mark.parametrize("page", PAGES)
def test_after_too_many_wrong_passwords_even_the_right_one_must_wait(person: User, page: str) -> None:
    for name in ("admin", "ADMIN", " admin", "Admin") * 2:
        assert not attempt(page, "wrong", name)
    assert not attempt(page, "correct horse")
    SignInFailure.objects.update(at=timezone.now() - sign_in_limits.WINDOW - timedelta(seconds=1))
    assert attempt(page, "correct horse")


def test_the_refusal_says_what_to_do(person: User, client: Client) -> None:
    for _ in range(sign_in_limits.PER_USERNAME):
        attempt("courses:sign_in", "wrong")
    page = client.post(reverse("courses:sign_in"), {"username": "admin", "password": "correct horse"})
    assert "Wait a quarter of an hour" in page.content.decode()


def test_signing_in_forgets_what_went_wrong_before(person: User) -> None:
    attempt("courses:sign_in", "wrong")
    attempt("courses:sign_in", "correct horse")
    assert not SignInFailure.objects.exists()


def test_one_address_cannot_try_every_name(person: User) -> None:
    for number in range(sign_in_limits.PER_ADDRESS):
        sign_in_limits.failed(username=f"name-{number}", address="127.0.0.1")
    assert not attempt("courses:sign_in", "correct horse")


def test_course_codes_cannot_be_guessed_without_end(person: User, course: Course, client: Client) -> None:
    client.force_login(person)
    pages = [client.post(reverse("courses:join"), {"code": f"GUESS-{number}"}) for number in range(9)]
    assert "No course has this code" in pages[7].content.decode()
    assert "Too many wrong codes" in pages[8].content.decode()
    client.post(reverse("courses:join"), {"code": "JOIN-US"})
    assert not Enrolment.objects.filter(user=person).exists()
