"""Which known mistake does this submission make? Asked only after the verdict is final, and never able to change it.

Every mistake runs as a learner, in a fresh confined process, and is asked what the failed tests asked. It is named only
if it alone answers every call as the submission did: by values, or by the kind of exception.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch

from exercises.testkit import values
from exercises.testkit.solution import LearnerError, MalformedReply, ReplyTooLarge, Solution
from grader.checker.job import DIAGNOSIS_SECONDS, Job
from grader.checker.recording import MAX_TESTS, Recording
from grader.checker.remote import Budget, Fault, RemoteLearner, Stopped
from grader.checker.runner import Invalid, load

MAX_CALLS = 64
ROUNDING = (1e-4, 1e-6)


Known = dict[tuple[str, int, str], list[tuple[bytes, bytes | None]]]
"""What a source answered, at a seed and in a test, to one request after the other; None: nothing any more.

Programs that are tried one after the other are mostly asked the same, and a mistake need not answer it again.
"""


def diagnose(job: Job, recordings: list[Recording], learner: RemoteLearner, known: Known) -> str:
    """The slug of the one matching mistake, or an empty string. `learner` is one that has seen no submission."""
    matching = matching_mistakes(job, recordings, learner, known)
    return matching[0] if len(matching) == 1 else ""


def matching_mistakes(job: Job, recordings: list[Recording], learner: RemoteLearner, known: Known) -> list[str]:
    """The slugs of all that answer every recorded call alike; none if there is no time to ask them all."""
    comparable = [recording for recording in recordings if recording.usable][:MAX_TESTS]
    if not comparable or not job.mistakes:
        return []
    learner.budget = budget = Budget(job.cpu_seconds, DIAGNOSIS_SECONDS)
    matching = []
    for slug, sources in job.mistakes.items():
        if any(_answers_alike(learner, job, source, comparable, known) for source in sources):
            matching.append(slug)
        if budget.spent:
            known.clear()  # the last one may have been stopped for want of time
            return []
    return matching


def _answers_alike(learner: RemoteLearner, job: Job, source: str, recordings: list[Recording], known: Known) -> bool:
    for recording in recordings:
        told = known.setdefault((source, job.seed, recording.test), [])
        alike = _as_known(told, recording, job)
        if alike is None:
            told.clear()
            try:
                alike = same_recording(learner, job, source, recording, told=told)
            except Stopped:
                alike = False
            except Fault:
                told.clear()  # that nothing came was our doing
                raise
        if not alike:
            return False
    return True


def _as_known(told: list[tuple[bytes, bytes | None]], recording: Recording, job: Job) -> bool | None:
    """Whether what is known equals the record; None if too little is known to tell."""
    for place, exchange in enumerate(recording.exchanges[:MAX_CALLS]):
        if place >= len(told) or told[place][0] != exchange.request:
            return None
        reply = told[place][1]
        if reply is None or not same_reply(exchange.reply, reply, job.reply_bytes):
            return False
    return True


def same_recording(
    learner: RemoteLearner,
    job: Job,
    source: str,
    recording: Recording,
    within: tuple[float, float] = ROUNDING,
    told: list[tuple[bytes, bytes | None]] | None = None,
) -> bool:
    """Whether `source` answers as the recorded one did, its numbers within (rtol, atol); raise `Stopped`.

    What it answers is added to `told`.
    """
    told = [] if told is None else told
    learner.budget.begin_test()
    try:
        load(Solution(learner, reply_cap=job.reply_bytes), job, source, recording.test)
    except (LearnerError, Invalid, ReplyTooLarge, MalformedReply):
        told += [(exchange.request, None) for exchange in recording.exchanges[:1]]
        return False
    for exchange in recording.exchanges[:MAX_CALLS]:
        told.append((exchange.request, None))  # what stays if no answer comes
        reply = learner.exchange(exchange.request)
        told[-1] = (exchange.request, reply)
        if not same_reply(exchange.reply, reply, job.reply_bytes, within):
            return False
    return True


def same_reply(learner: bytes, mistake: bytes, cap: int, within: tuple[float, float] = ROUNDING) -> bool:
    """Whether two encoded replies say the same, up to (rtol, atol)."""
    if learner == mistake:
        return True
    try:
        ours, theirs = (values.decode(data, cap + 8192) for data in (learner, mistake))
    except values.Malformed:
        return False
    if _exception(ours) or _exception(theirs):
        return _exception(ours) == _exception(theirs)
    return _same(ours, theirs, within)


def _exception(reply: Any) -> str:
    error = reply.get("error") if type(reply) is dict else None
    return str(error.get("type", "")) if type(error) is dict else ""


def _same(ours: Any, theirs: Any, within: tuple[float, float]) -> bool:
    if type(ours) in (np.ndarray, torch.Tensor) or isinstance(ours, np.generic):
        return _same_numbers(ours, theirs, within)
    if type(ours) is not type(theirs):
        return False
    if isinstance(ours, (list, tuple)):
        return len(ours) == len(theirs) and all(
            _same(one, other, within) for one, other in zip(ours, theirs, strict=True)
        )
    if isinstance(ours, dict):
        return ours.keys() == theirs.keys() and all(_same(value, theirs[key], within) for key, value in ours.items())
    if isinstance(ours, float):
        return _same_numbers(np.asarray(ours), np.asarray(theirs), within)
    return bool(ours == theirs)


def _same_numbers(ours: Any, theirs: Any, within: tuple[float, float]) -> bool:
    """Equal shapes, and values equal up to rounding; the width of the dtype is no part of a misconception."""
    if type(theirs) not in (np.ndarray, torch.Tensor) and not isinstance(theirs, np.generic):
        return False
    if isinstance(ours, torch.Tensor) is not isinstance(theirs, torch.Tensor):
        return False
    left, right = _plain(ours), _plain(theirs)
    if left.shape != right.shape:
        return False
    with np.errstate(all="ignore"):
        return bool(np.allclose(left, right, *within, equal_nan=True))


def _plain(value: Any) -> np.ndarray[Any, Any]:
    if isinstance(value, torch.Tensor):
        value = (value.to(torch.complex128) if value.is_complex() else value.to(torch.float64)).numpy()
    return np.asarray(value)
