"""The checker's process: confine, prove it, take one job, report."""

from __future__ import annotations

import json
import os
from typing import Any

from grader.checker.diagnosis import diagnose
from grader.checker.job import Findings, Job
from grader.checker.remote import Fault, Init, Stopped
from grader.checker.runner import Runner
from grader.report import Outcome
from grader.sandbox.confine import Confinement, confine
from grader.sandbox.learner import enter
from grader.sandbox.roles import CHANNEL_FD, COMMANDS_FD
from grader.sandbox.standby import wait_rehearsing
from grader.sandbox.wire import Channel, Kind, forever

_JOB_CAP = 64 << 20


def main(plan: Confinement, parent: int) -> None:
    """Never returns: ends after the report is sent."""
    channel, init = Channel(CHANNEL_FD), Init(COMMANDS_FD)
    enter(channel, lambda: confine(plan, parent))
    os.dup2(0, 2)  # what tests print is nobody's; until here stderr told operators why a checker cannot start
    wait_rehearsing(channel.fd)
    job = Job.decode(channel.receive(_JOB_CAP, forever).payload)

    def progress(test: dict[str, Any], total: int) -> None:
        channel.send(Kind.PROGRESS, json.dumps({"test": test, "total": total}).encode(), forever)

    findings = _judge(job, init, progress)
    channel.send(Kind.REPORT, findings.encode(), forever)
    os._exit(0)


def _judge(job: Job, init: Init, progress: Any) -> Findings:
    runner = Runner(job, init, progress)
    findings = runner.run()
    wrong = any(test["outcome"] in (Outcome.WRONG_ANSWER, Outcome.RUNTIME_ERROR) for test in findings.tests)
    if job.diagnose and wrong and not findings.fault and not findings.invalid:
        try:
            findings.mistake = diagnose(job, init, runner.recordings)
        except (Fault, Stopped):
            findings.mistake = ""  # failing to diagnose never changes a verdict
    return findings
