"""`/healthz`: whether this process can reach what it needs, and how the queue does, for load balancers and people."""

from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from django.conf import settings
from django.db import DatabaseError, connection
from django.http import HttpRequest, JsonResponse
from django.views.decorators.http import require_safe
from redis import Redis, RedisError

from grader.selectors import queue_state


def database_answers() -> bool:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError:
        return False
    return True


def broker_answers() -> bool:
    try:
        with Redis.from_url(settings.REDIS_URL, socket_timeout=1, socket_connect_timeout=1) as client:
            return bool(client.ping())
    except RedisError:
        return False


PARTS: dict[str, Callable[[], bool]] = {"database": database_answers, "broker": broker_answers}


@require_safe
def healthz(request: HttpRequest) -> JsonResponse:
    """200 while the database answers: without the broker pages work and submissions are kept, so it is only told.

    Submissions that are held, or wait longer and longer, are for an operator's alarm.
    """
    told: dict[str, Any] = {name: "ok" if answers() else "unreachable" for name, answers in PARTS.items()}
    if told["database"] != "ok":
        return JsonResponse(told, status=503)
    return JsonResponse({**told, "queue": asdict(queue_state())})
