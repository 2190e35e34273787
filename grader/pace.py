"""How fast one person may submit. Counted in Redis; when it is away, nobody is slowed down."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from redis import RedisError

from grader.progress import client

if TYPE_CHECKING:
    from django.contrib.auth.models import User

log = logging.getLogger(__name__)

WINDOW_SECONDS = 20
MOST_IN_WINDOW = 10
"""Sample runs and submissions together: more than anybody can write, and few enough at once to slow nobody else."""

TOO_FAST = (
    f"You have run or submitted code more than {MOST_IN_WINDOW} times within {WINDOW_SECONDS} seconds. "
    "Your code is not lost: try again in {seconds} s."
)


def refusal(user: User) -> str:
    """Count one click of this person; why it may not go through, or nothing."""
    seconds = seconds_to_wait(user)
    return TOO_FAST.format(seconds=seconds) if seconds else ""


def seconds_to_wait(user: User) -> int:
    """Count one click of this person; 0 if it may go through."""
    key = f"gradus:pace:{user.pk}"
    try:
        redis = client()
        count = int(redis.incr(key))
        if count == 1:
            redis.expire(key, WINDOW_SECONDS)
        if count <= MOST_IN_WINDOW:
            return 0
        if (left := int(redis.ttl(key))) < 0:  # whoever counted first was stopped before it could say for how long
            redis.expire(key, left := WINDOW_SECONDS)
    except RedisError as error:
        log.info("the pace of person %d is not counted: %s", user.pk, error)
        return 0
    return max(left, 1)
