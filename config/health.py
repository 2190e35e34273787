"""`/healthz`: whether this site works, for load balancers; and, for those who run it, which part does not."""

from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from django.conf import settings
from django.db import DatabaseError, connection
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.crypto import constant_time_compare
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from redis import Redis, RedisError

from courses import access
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


@never_cache
@require_safe
def healthz(request: HttpRequest) -> HttpResponse:
    """200 while the database answers: without the broker, pages work and submissions are kept.

    Strangers read "ok" or "not ok". Details are for admins and for who sends `GRADUS_HEALTH_TOKEN`: submissions that
    are held, or wait longer and longer, are for an operator's alarm.
    """
    well = database_answers()
    status = 200 if well else 503
    if has_token(request) or (well and access.is_admin(request.user)):
        return JsonResponse(details(), status=status)
    return HttpResponse("ok" if well else "not ok", content_type="text/plain", status=status)


def has_token(request: HttpRequest) -> bool:
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    expected = settings.GRADUS_HEALTH_TOKEN
    return expected is not None and scheme == "Bearer" and constant_time_compare(token, expected)


def details() -> dict[str, Any]:
    parts: dict[str, Any] = {name: "ok" if answers() else "unreachable" for name, answers in PARTS.items()}
    return parts if parts["database"] != "ok" else {**parts, "queue": asdict(queue_state())}
