"""Wake workers for rows that nobody was woken for: an unreachable broker, a dead worker, the end of a pause."""

from __future__ import annotations

import logging
import signal
import threading
from types import FrameType
from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.db import DatabaseError, close_old_connections
from django.utils import timezone
from kombu.exceptions import OperationalError

from grader import queue, wakeups
from grader.models import Submission

log = logging.getLogger(__name__)


class Command(BaseCommand):
    help = "Send wake-ups for submissions that wait to be graded."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--loop", action="store_true", help="go on until stopped (SIGTERM or Ctrl-C)")
        parser.add_argument("--every", type=float, default=5.0, metavar="SECONDS", help="pause between two sweeps")

    def handle(self, *args: Any, loop: bool, every: float, **options: Any) -> None:
        stopping = threading.Event()

        def stop(number: int, frame: FrameType | None) -> None:
            stopping.set()

        if not loop:
            self.stdout.write(f"{sweep()} wake-ups sent")
            return
        signal.signal(signal.SIGTERM, stop)
        signal.signal(signal.SIGINT, stop)
        while not stopping.is_set():
            sweep_or_log()
            stopping.wait(every)


def sweep() -> int:
    """Send as many wake-ups as there are rows to grade, less those still unanswered. Returns how many."""
    queue.hold_exhausted()
    claimable = Submission.objects.claimable(timezone.now())[: wakeups.MOST_WAITING].count()
    missing = claimable - wakeups.waiting() if claimable else 0
    return sum(wakeups.send() for _ in range(missing))


def sweep_or_log() -> None:
    """One turn of the loop, which outlives both the database and the broker."""
    close_old_connections()
    try:
        sweep()
    except (DatabaseError, OperationalError) as error:
        log.warning("this sweep was skipped: %s", error)
