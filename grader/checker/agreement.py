"""Whether two programs answer every call alike, by value and by kind of exception: how proofs compare them."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch

from exercises.testkit import values
from exercises.testkit.solution import MalformedReply, ReplyTooLarge, Solution
from grader.checker.job import Job
from grader.checker.loading import NotLoaded, begin_test
from grader.checker.recording import Recording
from grader.checker.remote import RemoteLearner

MAX_CALLS = 64


def same_recording(
    learner: RemoteLearner, job: Job, source: str, recording: Recording, within: tuple[float, float]
) -> bool:
    """Whether `source` answers as the recorded program did, its numbers within (rtol, atol); raise `Stopped`."""
    learner.budget.begin_test()
    try:
        begin_test(learner, Solution(learner, reply_cap=job.reply_bytes), job, source, recording.test)
    except (NotLoaded, ReplyTooLarge, MalformedReply):
        return False
    return all(
        same_reply(exchange.reply, learner.exchange(exchange.request), job.reply_bytes, within)
        for exchange in recording.exchanges[:MAX_CALLS]
    )


def same_reply(learner: bytes, mistake: bytes, cap: int, within: tuple[float, float]) -> bool:
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
