"""What has to happen without anybody's click.

Workers are woken for rows that nobody was woken for: an unreachable broker, a dead worker, the end of a pause. What
need not be kept any longer is removed.
"""

from __future__ import annotations

import logging
import signal
import threading
import time
from types import FrameType
from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.db import DatabaseError, close_old_connections
from kombu.exceptions import OperationalError

from grader import queue, retention, wakeups

log = logging.getLogger(__name__)

TIDY_EVERY = 3600.0  # seconds; what is removed may as well be an hour older


class Command(BaseCommand):
    help = "Send wake-ups for submissions that wait to be graded, and remove what is kept long enough."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--loop", action="store_true", help="go on until stopped (SIGTERM or Ctrl-C)")
        parser.add_argument("--every", type=float, default=5.0, metavar="SECONDS", help="pause between two sweeps")

    def handle(self, *args: Any, loop: bool, every: float, **options: Any) -> None:
        stopping = threading.Event()

        def stop(number: int, frame: FrameType | None) -> None:
            stopping.set()

        if not loop:
            self.stdout.write(f"{sweep()} wake-ups sent")
            if (removed := retention.remove_all()) != retention.NOTHING:
                self.stdout.write(str(removed))
            return
        signal.signal(signal.SIGTERM, stop)
        signal.signal(signal.SIGINT, stop)
        tidy_at = time.monotonic()
        while not stopping.is_set():
            sweep_or_log()
            if time.monotonic() >= tidy_at and not tidy_or_log():
                tidy_at = time.monotonic() + TIDY_EVERY
            stopping.wait(every)


def sweep() -> int:
    """Send as many wake-ups as there are rows to grade, less those still unanswered. Returns how many."""
    queue.hold_exhausted()
    while queue.end_rests():
        pass
    wanted = wakeups.wanted()
    missing = wanted - wakeups.waiting() if wanted else 0
    return sum(wakeups.send() for _ in range(missing))


def sweep_or_log() -> None:
    """One turn of the loop, which outlives both the database and the broker."""
    close_old_connections()
    try:
        sweep()
    except (DatabaseError, OperationalError) as error:
        log.warning("this sweep was skipped: %s", error)


def tidy_or_log() -> bool:
    """Remove one batch; whether there may be more. A database that is away is asked again in an hour."""
    try:
        return retention.remove_batch().may_be_more
    except DatabaseError as error:
        log.warning("nothing was removed: %s", error)
        return False
