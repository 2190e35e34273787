"""The checker's process: confine, prove it, take one job (or a series of them), report."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import Any

from grader import strict
from grader.checker.job import Job, encode_mistakes
from grader.checker.remote import Init
from grader.checker.series import Series
from grader.checker.trials import judge_one, run_series
from grader.sandbox.confine import Confinement, confine
from grader.sandbox.learner import enter
from grader.sandbox.roles import CHANNEL_FD, COMMANDS_FD
from grader.sandbox.standby import wait_rehearsing
from grader.sandbox.wire import Channel, Closed, Kind, forever

_JOB_CAP = 64 << 20


def main(plan: Confinement, parent: int) -> None:
    """Never returns: ends after the report is sent."""
    channel, init = Channel(CHANNEL_FD), Init(COMMANDS_FD)
    enter(channel, lambda: confine(plan, parent))
    os.dup2(0, 2)  # what tests print is nobody's; until here stderr told operators why a checker cannot start
    wait_rehearsing(channel.fd)
    data = channel.receive(_JOB_CAP, forever).payload

    def progress(test: dict[str, Any], total: int) -> None:
        told = {**test, "message": "", "details": {}}  # the rest comes with the report
        channel.send(Kind.PROGRESS, strict.encode({"test": told, "total": total}), forever)

    series = Series.decode(data)
    if series:
        channel.send(Kind.REPORT, run_series(series, init).encode(), forever)
    else:
        mistakes = judge_one(
            Job.decode(data), init, progress, lambda findings: channel.send(Kind.REPORT, findings.encode(), forever)
        )
        with suppress(Closed):  # nobody waits for them where none could be made
            channel.send(Kind.MISTAKES, encode_mistakes(mistakes), forever)
    os._exit(0)
