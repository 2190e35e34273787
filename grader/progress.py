"""How far a running submission is, test by test. Kept in Redis for an hour; losing it loses nothing."""

from __future__ import annotations

import contextlib
import json
import logging
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from django.conf import settings
from redis import Redis, RedisError

from grader.report import TestReport

log = logging.getLogger(__name__)

SECONDS_KEPT = 3600
MOST_SECONDS_LOOKING = 60


@dataclass(frozen=True, slots=True)
class Step:
    """A finished test, as the page shows it while the others run."""

    title: str
    outcome: str


@dataclass(frozen=True, slots=True)
class Progress:
    done: int
    total: int
    tests: tuple[Step, ...]


def put(submission_id: int, total: int, tests: Sequence[TestReport]) -> None:
    steps = [[test.title, str(test.outcome)] for test in tests]
    try:
        client().set(_key(submission_id), json.dumps({"total": total, "tests": steps}), ex=SECONDS_KEPT)
    except RedisError as error:
        log.info("progress of submission %d is not shown: %s", submission_id, error)


def get(submission_id: int) -> Progress | None:
    """None before the first test has ended, and whenever Redis is away."""
    try:
        text = client().get(_key(submission_id))
    except RedisError:
        return None
    if text is None:
        return None
    data = json.loads(text)
    tests = tuple(Step(title, outcome) for title, outcome in data["tests"])
    return Progress(done=len(tests), total=data["total"], tests=tests)


def look_for_mistakes(submission_id: int) -> None:
    """The verdict is known, and which mistakes were made is being found out."""
    try:
        client().set(_looking(submission_id), "1", ex=MOST_SECONDS_LOOKING)
    except RedisError as error:
        log.info("nobody is told that mistakes of submission %d are looked for: %s", submission_id, error)


def end_looking(submission_id: int) -> None:
    with contextlib.suppress(RedisError):  # it ends by itself
        client().delete(_looking(submission_id))


def is_looking(submission_id: int) -> bool:
    """Whether a page should ask once more for the mistakes."""
    try:
        return bool(client().exists(_looking(submission_id)))
    except RedisError:
        return False


def _looking(submission_id: int) -> str:
    return f"gradus:looking:{submission_id}"


def _key(submission_id: int) -> str:
    return f"gradus:progress:{submission_id}"


def client() -> Redis:
    """To what is kept in memory alone."""
    return _client(settings.REDIS_URL)


@lru_cache(maxsize=1)
def _client(url: str) -> Redis:
    return Redis.from_url(url, socket_timeout=0.5, socket_connect_timeout=0.5)
