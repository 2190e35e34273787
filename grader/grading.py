"""One claimed row, judged and recorded. The only place where the queue and the engine meet."""

from __future__ import annotations

import itertools
import logging
import math
import time

from django.db import transaction

from courses import results
from grader import progress, queue
from grader.fitness import why_unfit
from grader.judge import OnVerdict, judge
from grader.models import Kind, Submission
from grader.report import Report, TestReport, Verdict
from grader.sandbox import Cancelled, PlatformFault, Sandbox, SandboxUnavailable

log = logging.getLogger(__name__)

OLDEST_EVERY = 4
PROGRESS_EVERY = 0.05  # seconds; most submissions are done before a page asks even once
_turns = itertools.count(1)


def grade_next(sandbox: Sandbox) -> Submission | None:
    """Claim a row, judge it, record what came of it, and return it as it was claimed; None when nothing waits.

    Our own faults are recorded as such, never as a verdict. `SandboxUnavailable` is raised once the row is back in the
    queue: whoever calls should stop asking for more. That is also how a fault ends if this worker turns out to be
    unable to judge anything.
    """
    submission = queue.claim(oldest=next(_turns) % OLDEST_EVERY == 0)
    if submission is None:
        return None
    try:
        _judge_or_fail(submission, sandbox)
    except SandboxUnavailable as error:
        queue.put_back(submission=submission, reason=str(error))
        raise
    except Cancelled:
        queue.hand_back(submission=submission)
    return submission


@transaction.atomic
def record(*, submission: Submission, report: Report) -> bool:
    """Store the verdict and what it earns in the course, both or neither, if the claim is still ours."""
    if not queue.finish(submission=submission, report=report):
        return False
    if submission.kind == Kind.SAMPLE or report.verdict is Verdict.INVALID_SUBMISSION:
        return True
    first = submission.regrade_of or submission
    results.push(
        item=submission.item,
        user=submission.user,
        origin=submission.origin,
        raw=report.score,
        maximum=report.max_score,
        submitted_at=first.created_at,
    )
    return True


def _judge_or_fail(submission: Submission, sandbox: Sandbox) -> None:
    try:
        return _judge_and_record(submission, sandbox)
    except Cancelled:
        raise
    except (PlatformFault, SandboxUnavailable) as error:
        fault = str(error)  # also what an exercise's tests may have forged, to keep workers from their work
    except Exception as error:
        # Whatever went wrong here is not the learner's doing: hold on to the row and let operators read why.
        log.exception("judging submission %d failed", submission.pk)
        fault = f"{type(error).__name__}: {error}"
    if why := why_unfit(sandbox):
        raise SandboxUnavailable(why)
    return queue.fail(submission=submission, fault=fault)


def _judge_and_record(submission: Submission, sandbox: Sandbox) -> None:
    """The verdict is recorded as soon as it is known; the mistakes that are recognised then, when they are."""
    recorded: list[bool] = []

    def verdict(report: Report) -> None:
        progress.look_for_mistakes(submission.pk)
        recorded.append(record(submission=submission, report=report))

    report = _judged(submission, sandbox, verdict)
    if not recorded:
        record(submission=submission, report=report)
        return
    if recorded[0] and report.mistakes:
        queue.name_mistakes(submission=submission, report=report)
    progress.end_looking(submission.pk)


def _judged(submission: Submission, sandbox: Sandbox, on_verdict: OnVerdict) -> Report:
    finished: list[TestReport] = []
    told = -math.inf

    def tell(test: TestReport, total: int) -> None:
        nonlocal told
        finished.append(test)
        if (now := time.monotonic()) - told >= PROGRESS_EVERY:
            told = now
            progress.put(submission.pk, total, finished)

    return judge(
        submission.revision.package(),
        submission.source,
        seed=submission.seed,
        sandbox=sandbox,
        sample_only=submission.kind == Kind.SAMPLE,
        on_progress=tell,
        on_verdict=on_verdict,
    )
