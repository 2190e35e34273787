"""`/healthz` tells strangers whether the site works, and those who run it which part does not."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.db import DatabaseError
from django.test import Client
from pytest_django import Settings

from tests.conftest import SignIn
from tests.services import Broker

TOKEN = "a token that only monitoring knows"
WITH_TOKEN = {"Authorization": f"Bearer {TOKEN}"}
QUEUE = {"waiting": 0, "oldest_seconds": 0, "held": 0}


def break_database(monkeypatch: pytest.MonkeyPatch) -> None:
    def gone() -> None:
        raise DatabaseError("gone")

    monkeypatch.setattr("config.health.connection.cursor", gone)


@pytest.mark.parametrize("who", ["learner", "instructor"])
@pytest.mark.django_db
def test_strangers_and_those_who_do_not_run_the_site_read_one_word(
    who: str, sign_in: SignIn, request: pytest.FixtureRequest
) -> None:
    for client in (Client(), sign_in(request.getfixturevalue(who))):
        reply = client.get("/healthz")
        assert (reply.status_code, reply.content, reply["Content-Type"]) == (200, b"ok", "text/plain")


@pytest.mark.django_db
def test_an_admin_reads_the_details(admin: User, sign_in: SignIn, any_broker: Broker) -> None:
    reply = sign_in(admin).get("/healthz")
    assert (reply.status_code, reply.json()) == (200, {"database": "ok", "broker": "ok", "queue": QUEUE})


@pytest.mark.django_db
def test_monitoring_reads_them_with_its_token(client: Client, settings: Settings, any_broker: Broker) -> None:
    settings.GRADUS_HEALTH_TOKEN = TOKEN
    assert client.get("/healthz", headers=WITH_TOKEN).json()["queue"] == QUEUE


@pytest.mark.parametrize("header", ["Bearer", "Bearer ", "Bearer None", f"Basic {TOKEN}", f"Bearer {TOKEN}x", TOKEN])
@pytest.mark.parametrize("token", [None, TOKEN])
@pytest.mark.django_db
def test_another_token_or_none_tells_nothing(
    client: Client, settings: Settings, token: str | None, header: str
) -> None:
    settings.GRADUS_HEALTH_TOKEN = token
    assert client.get("/healthz", headers={"Authorization": header}).content == b"ok"


@pytest.mark.django_db
def test_without_a_broker_work_is_still_kept_so_it_is_only_told(client: Client, settings: Settings) -> None:
    settings.GRADUS_HEALTH_TOKEN = TOKEN
    settings.REDIS_URL = "unix:///nowhere/broker.sock"
    assert client.get("/healthz").content == b"ok"
    reply = client.get("/healthz", headers=WITH_TOKEN)
    assert (reply.status_code, reply.json()["broker"]) == (200, "unreachable")


def test_without_a_database_it_is_unwell(client: Client, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.GRADUS_HEALTH_TOKEN = TOKEN
    break_database(monkeypatch)
    reply = client.get("/healthz")
    assert (reply.status_code, reply.content) == (503, b"not ok")
    reply = client.get("/healthz", headers=WITH_TOKEN)
    assert (reply.status_code, reply.json()["database"]) == (503, "unreachable")
