"""Whose address is counted when passwords are wrong, with and without proxies before this site."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client, RequestFactory
from django.urls import reverse
from pytest_django import Settings

from courses import sign_in_limits
from courses.client_address import client_address
from courses.models import SignInTally

PROXY = "10.0.0.1"


def seen(forwarded: str | None) -> str:
    headers = {} if forwarded is None else {"X-Forwarded-For": forwarded}
    return client_address(RequestFactory().get("/", REMOTE_ADDR=PROXY, headers=headers))


@pytest.mark.parametrize("forwarded", [None, "203.0.113.7", "203.0.113.7, 10.0.0.2"])
def test_by_default_no_header_is_believed(settings: Settings, forwarded: str | None) -> None:
    assert settings.TRUSTED_PROXIES == 0
    assert seen(forwarded) == PROXY


@pytest.mark.parametrize(
    ("proxies", "forwarded", "address"),
    [
        (1, "203.0.113.7", "203.0.113.7"),
        (1, "198.51.100.9, 203.0.113.7", "203.0.113.7"),  # the first was written by the client
        (2, "198.51.100.9, 203.0.113.7, 10.0.0.2", "203.0.113.7"),
        (2, "203.0.113.7", PROXY),  # a request that passed fewer proxies than it should have
        (1, "2001:DB8::7", "2001:db8::7"),
        (1, "unknown", PROXY),
        (1, "", PROXY),
        (1, None, PROXY),
    ],
)
def test_behind_proxies_the_client_is_counted_from_the_end(
    settings: Settings, proxies: int, forwarded: str | None, address: str
) -> None:
    settings.TRUSTED_PROXIES = proxies
    assert seen(forwarded) == address


def test_behind_a_proxy_one_guesser_does_not_delay_the_others(settings: Settings, admin: User) -> None:
    settings.TRUSTED_PROXIES = 1
    admin.set_password("correct horse")
    admin.save()
    for number in range(sign_in_limits.FREE_PER_ADDRESS):
        sign_in_limits.begin(username=f"name-{number}", address="203.0.113.7")

    def signs_in(address: str) -> bool:
        client = Client(REMOTE_ADDR=PROXY, headers={"X-Forwarded-For": f"198.51.100.9, {address}"})
        client.post(reverse("courses:sign_in"), {"username": "admin", "password": "correct horse"})
        return "_auth_user_id" in client.session

    assert not signs_in("203.0.113.7")
    assert signs_in("203.0.113.8")


@pytest.mark.parametrize("page", ["courses:sign_in", "admin:login"])
def test_both_sign_in_pages_count_the_client(settings: Settings, admin: User, page: str) -> None:
    settings.TRUSTED_PROXIES = 1
    client = Client(REMOTE_ADDR=PROXY, headers={"X-Forwarded-For": "203.0.113.7"})
    client.post(reverse(page), {"username": "admin", "password": "wrong"})
    assert SignInTally.objects.get(kind=SignInTally.Kind.ADDRESS).key == "203.0.113.7"
