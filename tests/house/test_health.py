"""`/healthz` tells what this process can reach."""

import pytest
from django.test import Client


@pytest.mark.django_db
def test_says_which_part_is_unreachable(client: Client, settings: pytest.FixtureRequest) -> None:
    settings.REDIS_URL = "unix:///nowhere/broker.sock"  # type: ignore[attr-defined]
    reply = client.get("/healthz")
    assert reply.status_code == 200
    assert reply.json() == {"database": "ok", "broker": "unreachable"}
