"""The cookie that says who has signed in with a browser: what it is worth, and that it cannot be made or passed on."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.core import signing
from django.http import HttpResponse
from django.test import Client, RequestFactory
from django.urls import reverse
from pytest_django import Settings

from courses import known_browsers, people
from courses.models import Course, Role
from tests.conftest import SignIn

PASSWORD = "a long enough pass phrase"


@pytest.fixture(autouse=True)
def quick_passwords(settings: Settings) -> None:
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


@pytest.fixture
def person(learner: User) -> User:
    learner.set_password(PASSWORD)
    learner.save()
    return learner


def browser_of(person: User, cookie: str) -> str:
    request = RequestFactory().get("/")
    request.COOKIES[known_browsers.COOKIE] = cookie
    return known_browsers.known_as(request, person)


def cookie_after(person: User, cookie: str = "") -> str:
    request, response = RequestFactory().get("/"), HttpResponse()
    request.COOKIES[known_browsers.COOKIE] = cookie
    known_browsers.remember(response, request, person)
    return response.cookies[known_browsers.COOKIE].value


def kept_by(client: Client) -> str:
    return client.cookies[known_browsers.COOKIE].value


@pytest.mark.parametrize("page", ["courses:sign_in", "admin:login"])
def test_signing_in_makes_it_and_scripts_and_other_sites_cannot_read_it(
    person: User, client: Client, page: str, settings: Settings
) -> None:
    settings.SESSION_COOKIE_SECURE = True
    User.objects.filter(pk=person.pk).update(is_staff=True)
    client.post(reverse(page), {"username": "learner", "password": PASSWORD})
    cookie = client.cookies[known_browsers.COOKIE]
    assert (cookie["httponly"], cookie["samesite"], cookie["secure"], cookie["path"]) == (True, "Lax", True, "/")
    assert browser_of(person, cookie.value)


def test_a_wrong_password_makes_none(person: User, client: Client) -> None:
    client.post(reverse("courses:sign_in"), {"username": "learner", "password": "wrong"})
    assert known_browsers.COOKIE not in client.cookies


def test_it_is_worth_nothing_to_anybody_else(person: User, classmate: User) -> None:
    assert browser_of(classmate, cookie_after(person)) == ""


def test_several_people_share_a_browser_and_the_last_of_them_are_known(person: User, classmate: User) -> None:
    both = cookie_after(classmate, cookie_after(person))
    assert browser_of(person, both) == browser_of(classmate, both) != ""
    for number in range(known_browsers.MOST_PEOPLE - 1):
        both = cookie_after(User(pk=1000 + number), both)
    assert browser_of(person, both) == ""
    assert browser_of(classmate, both)
    assert len(both) < 3000


@pytest.mark.parametrize("salt", [known_browsers.SALT, "another"])
def test_it_cannot_be_forged(person: User, salt: str) -> None:
    genuine = cookie_after(person)
    value = signing.loads(genuine, salt=known_browsers.SALT)
    assert browser_of(person, signing.dumps(value, key="not the site's key", salt=salt)) == ""
    assert browser_of(person, genuine[:-1] + ("A" if genuine[-1] != "A" else "B")) == ""
    assert browser_of(person, "") == ""


def test_it_ends_with_the_password_everywhere_but_where_that_was_changed(person: User, client: Client) -> None:
    elsewhere = cookie_after(person)
    client.force_login(person)
    new = "another long pass phrase"
    client.post(reverse("courses:password"), {"old_password": PASSWORD, "new_password1": new, "new_password2": new})
    person.refresh_from_db()
    assert browser_of(person, elsewhere) == ""
    assert browser_of(person, kept_by(client))


def test_a_reset_link_makes_its_browser_known(person: User, client: Client) -> None:
    form = client.get(people.reset_path(person), follow=True).redirect_chain[-1][0]
    client.post(form, {"new_password1": "another long phrase", "new_password2": "another long phrase"})
    person.refresh_from_db()
    assert browser_of(person, kept_by(client))


def test_an_invitation_makes_its_browser_known(course: Course, instructor: User, client: Client) -> None:
    invitation = people.invite(course=course, by=instructor, role=Role.LEARNER, note="")
    sent = {"username": "ada", "password1": PASSWORD, "password2": PASSWORD}
    client.post(reverse("courses:accept", args=[invitation.token]), sent)
    assert browser_of(User.objects.get(username="ada"), kept_by(client))


def test_signing_out_keeps_it(person: User, client: Client, sign_in: SignIn) -> None:
    client.post(reverse("courses:sign_in"), {"username": "learner", "password": PASSWORD})
    client.post(reverse("courses:sign_out"))
    assert browser_of(person, kept_by(client))
