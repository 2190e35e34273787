"""Telling workers that there is something to do. A wake-up carries nothing: the rows say what."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import Any

from celery import current_app
from django.db import transaction
from django.utils import timezone
from kombu.exceptions import OperationalError

from grader.models import ProofRequest, Submission

log = logging.getLogger(__name__)

TASK = "grader.wake"
MOST_WAITING = 16
MOST_CONNECTIONS = 8


def after_commit() -> None:
    """Wake a worker once the current transaction is committed."""
    transaction.on_commit(send, robust=True)


def wanted() -> int:
    """How many rows a worker could take now, counted no further than wake-ups are useful."""
    now = timezone.now()
    with transaction.atomic():
        Submission.objects.all().make_ready(now)
    submissions = Submission.objects.ready()[:MOST_WAITING].count()
    return min(MOST_WAITING, submissions + ProofRequest.objects.claimable(now).count())


def send() -> bool:
    """Wake a worker. A broker that is down costs nothing but time: the sweeper wakes a worker later."""
    problem: OperationalError | None = None
    for _ in range(2):  # the first connection may have outlived its broker
        try:
            kept = _kept_connections(os.getpid(), current_app.conf.broker_url)
            with kept.acquire(block=True) as connection, _one_kind_of_error(connection):
                current_app.send_task(TASK, connection=connection, retry=False)
        except OperationalError as error:
            problem = error
        else:
            return True
    log.warning("no wake-up was sent, the sweeper will: %s", problem)
    return False


def waiting() -> int:
    """Wake-ups that no worker has taken yet. Raise kombu's `OperationalError` when the broker is down."""
    with _connection(current_app.conf.broker_url) as connection, _one_kind_of_error(connection):
        queue = current_app.conf.task_default_queue
        return int(connection.default_channel.queue_declare(queue).message_count)


def _connection(broker: str) -> Any:
    """A connection that gives up at once: a person waits for the answer to their click."""
    options = {**current_app.conf.broker_transport_options, "max_retries": 0}
    return current_app.connection_for_write(broker, transport_options=options)


@contextmanager
def _one_kind_of_error(connection: Any) -> Iterator[None]:
    """A broker that goes away while it is asked shows in the client library's own errors."""
    try:
        yield
    except (*connection.connection_errors, *connection.channel_errors) as error:
        raise OperationalError(str(error)) from error


@lru_cache(maxsize=1)
def _kept_connections(process: int, broker: str) -> Any:
    """Of one process to one broker: a fork must not use what its parent opened."""
    return _connection(broker).Pool(limit=MOST_CONNECTIONS)
