"""`/healthz` tells what this process can reach."""

import pytest
from django.db import DatabaseError
from django.test import Client, override_settings

from tests.services import Broker


@pytest.mark.django_db
def test_all_is_well(client: Client, any_broker: Broker) -> None:
    reply = client.get("/healthz")
    queue = {"waiting": 0, "oldest_seconds": 0, "held": 0}
    assert (reply.status_code, reply.json()) == (200, {"database": "ok", "broker": "ok", "queue": queue})


@pytest.mark.django_db
def test_without_a_broker_work_is_still_kept_so_it_is_only_told(client: Client) -> None:
    with override_settings(REDIS_URL="unix:///nowhere/broker.sock"):
        reply = client.get("/healthz")
    assert reply.status_code == 200
    assert reply.json()["broker"] == "unreachable"


def test_without_a_database_it_is_unwell(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def gone() -> None:
        raise DatabaseError("gone")

    monkeypatch.setattr("config.health.connection.cursor", gone)
    reply = client.get("/healthz")
    assert (reply.status_code, reply.json()["database"]) == (503, "unreachable")
