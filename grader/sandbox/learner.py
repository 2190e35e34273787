"""The learner's process: confine, prove it, then answer requests until killed. No secret ever enters it."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Callable
from io import TextIOWrapper

import torch

from exercises.testkit.workbench import FILENAME, Workbench
from grader.sandbox.confine import Confinement, NotConfined, confine
from grader.sandbox.roles import CHANNEL_FD
from grader.sandbox.wire import Channel, Closed, Kind, forever

_REQUEST_CAP = 1 << 30
_usual_format = warnings.formatwarning


def main(plan: Confinement, parent: int, reply_cap: int) -> None:
    """Never returns: the process ends when the channel closes."""
    channel = Channel(CHANNEL_FD)
    enter(channel, lambda: confine(plan, parent))
    torch.compile = _no_compiler  # type: ignore[assignment]
    warnings.formatwarning = _format_warning
    sys.argv = [FILENAME]
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(line_buffering=True)  # what was printed before a crash is needed most
    serve(channel, Workbench(reply_cap))


def serve(channel: Channel, workbench: Workbench) -> None:
    """Answer one request after the other until the peer is gone; then end the process."""
    while True:
        try:
            request = channel.receive(_REQUEST_CAP, forever)
            reply = workbench.exchange(request.payload)
            _flush()
            channel.send(Kind.REPLY, reply, forever, request.call)
        except Closed:
            os._exit(0)
        except BaseException:  # noqa: BLE001 - whatever broke this process, a trace of our own code explains it to nobody
            os._exit(1)


def enter(channel: Channel, confined: Callable[[], None]) -> None:
    """Confine and say READY, or say why not and end."""
    try:
        confined()
    except NotConfined as error:
        channel.send(Kind.FAILED, str(error).encode(), forever)
        os._exit(97)
    channel.send(Kind.READY, b"", forever)


def _no_compiler(*_: object, **__: object) -> None:
    raise RuntimeError("torch.compile needs a compiler, and there is none here. Leave it out: values do not change.")


def _format_warning(
    message: Warning | str, category: type[Warning], filename: str, lineno: int, line: str | None = None
) -> str:
    """As Python does for the learner's own file; where else on this machine it came from is nobody's business."""
    if filename == FILENAME:
        return _usual_format(message, category, filename, lineno, line)
    return f"{category.__name__}: {message}\n"


def _flush() -> None:
    """What was printed must be in the pipe before the reply is: so prints can be told apart by test."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except Exception:  # noqa: BLE001 - learners may close or replace their streams
            continue
