"""The Celery side: a wake-up makes a pool child grade what waits, in the sandbox that it owns."""

from __future__ import annotations

import contextlib
import ctypes
import logging
import math
import multiprocessing.process
import os
import signal
import tempfile
import time
from typing import Any

from billiard.process import active_children, current_process
from celery import shared_task, signals
from django.conf import settings

from grader import proof_requests, wakeups
from grader.fitness import why_unfit
from grader.grading import grade_next
from grader.sandbox import Cancelled, Sandbox, SandboxUnavailable

log = logging.getLogger(__name__)

MOST_ROWS = 20
MOST_SECONDS = 10.0
FINISHING_SECONDS = 8.0
"""What a worker may still finish once it is asked to stop; what takes longer goes back into the queue."""
RESTING_SECONDS = 60.0
"""A worker that cannot grade tries itself so often, and claims nothing in between."""
PASSING_SECONDS = 1.0
"""It leaves others this moment to take the word that it passes on."""
STOP_SOON = signal.SIGUSR2
PR_SET_PDEATHSIG = 1

_sandbox: Sandbox | None = None
_stopping = False
_fit = False
_resting_until = -math.inf


@shared_task(name=wakeups.TASK)
def wake() -> int:
    """Grade until nothing waits or this turn is over; then pass the word on. Returns how many rows were graded.

    A proof that somebody asked for takes minutes, so one at most, and only when no submission waits.
    """
    began, graded = time.monotonic(), 0
    try:
        while _may_grade() and graded < MOST_ROWS and time.monotonic() - began < MOST_SECONDS:
            if grade_next(own_sandbox()) is None:
                if proof_requests.prove_next(own_sandbox()) is None:
                    return graded
                break
            graded += 1
    except SandboxUnavailable as error:
        log.error("this worker does not grade, and looks again in %d s: %s", RESTING_SECONDS, error)
        _rest()
    if wakeups.wanted():
        if _rests():
            time.sleep(PASSING_SECONDS)
        wakeups.send()
    return graded


def _may_grade() -> bool:
    """Whether to claim a row: not before this process has shown, since it last could not, that it can judge one."""
    global _fit
    if _stopping or _rests():
        return False
    if not _fit:
        with contextlib.suppress(Cancelled):
            if why := why_unfit(own_sandbox()):
                raise SandboxUnavailable(why)
            _fit = True
    return _fit


def _rests() -> bool:
    return time.monotonic() < _resting_until


def _rest() -> None:
    global _fit, _resting_until
    _fit, _resting_until = False, time.monotonic() + RESTING_SECONDS


@signals.celeryd_init.connect
def let_young_children_ignore_the_signal(**_: Any) -> None:
    """Else a child that has not come to `prepare` yet would die of it."""
    signal.signal(STOP_SOON, signal.SIG_IGN)


@signals.worker_shutting_down.connect
def stop_soon(**_: Any) -> None:
    """The pool waits for what its children do, however long that takes: tell them."""
    for child in active_children():
        with contextlib.suppress(ProcessLookupError):
            os.kill(child.pid, STOP_SOON)


def _finish_soon(*_: Any) -> None:
    """In a pool child: take no other row, and cancel this one if it takes too long."""
    global _stopping
    _stopping = True
    signal.signal(signal.SIGALRM, _cancel)
    signal.setitimer(signal.ITIMER_REAL, FINISHING_SECONDS)


def _cancel(*_: Any) -> None:
    if _sandbox is not None:
        _sandbox.cancel()


@signals.celeryd_init.connect
def share_one_temporary_folder(**_: Any) -> None:
    """Else the pool makes a folder of its own in there, which a killed worker leaves behind."""
    current: Any = multiprocessing.process.current_process()
    current._config["tempdir"] = tempfile.gettempdir()


def own_sandbox() -> Sandbox:
    """This process' sandbox, entered on first use. Call it from the main thread."""
    global _sandbox
    if _sandbox is None:
        _sandbox = Sandbox(minimum_level=settings.GRADUS_LEAST_SANDBOX_LEVEL).__enter__()
    return _sandbox


@signals.worker_process_init.connect
def prepare(**_: Any) -> None:
    """Start the zygote before the first submission waits for it, and die with the worker, even a killed one."""
    if current_process().name != "MainProcess":
        signal.signal(STOP_SOON, _finish_soon)
        ctypes.CDLL(None, use_errno=True).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    try:
        own_sandbox()
    except SandboxUnavailable as error:
        log.error("this worker will not grade: %s", error)


@signals.worker_process_shutdown.connect
def close(**_: Any) -> None:
    global _sandbox
    if _sandbox is not None:
        _sandbox.__exit__(None, None, None)
        _sandbox = None
