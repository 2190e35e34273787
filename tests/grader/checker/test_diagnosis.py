"""When two replies say the same, as far as naming a mistake goes."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, cast

import numpy as np
import pytest
import torch

from exercises.testkit.solution import Solution
from exercises.testkit.values import DEFAULT_CAP, encode
from exercises.testkit.workbench import Workbench
from grader.checker.diagnosis import Known, matching_mistakes, same_reply
from grader.checker.job import Job
from grader.checker.recording import Recording
from grader.checker.remote import Budget, RemoteLearner
from grader.checker.runner import load
from grader.judge import make_job
from tests.grader.small import make_package


def same(ours: Any, theirs: Any) -> bool:
    return same_reply(encode(ours), encode(theirs), DEFAULT_CAP)


ONES = np.ones((2, 3))


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (ONES, ONES * (1 + 1e-6)),
        (ONES, ONES.astype(np.float32)),
        (np.array([1.0, np.nan]), np.array([1.0, np.nan])),
        ([1.0, "a", None], [1.0 + 1e-9, "a", None]),
        ({"a": torch.ones(2)}, {"a": torch.ones(2, dtype=torch.float64)}),
    ],
)
def test_rounding_and_the_width_of_a_dtype_make_no_other_answer(ours: Any, theirs: Any) -> None:
    assert same({"value": ours}, {"value": theirs})


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (ONES, ONES * 1.01),
        (ONES, ONES.T),
        (np.ones(1), np.ones(3)),
        (ONES, torch.ones(2, 3)),
        (np.array([1.0, np.nan]), np.array([1.0, 0.0])),
        ([1.0], (1.0,)),
        ([1.0], [1.0, 1.0]),
        ({"a": 1}, {"b": 1}),
        (None, 0),
    ],
)
def test_another_value_shape_or_kind_is_another_answer(ours: Any, theirs: Any) -> None:
    assert not same({"value": ours}, {"value": theirs})


def test_exceptions_agree_by_their_kind_alone() -> None:
    ours = {"error": {"type": "ValueError", "message": "mine", "traceback": "", "line": 3}}
    theirs = {"error": {"type": "ValueError", "message": "theirs", "traceback": "", "line": 8}}
    assert same(ours, theirs)
    assert not same(ours, {"error": {**theirs["error"], "type": "TypeError"}})
    assert not same(ours, {"value": 1.0})


def test_what_is_no_reply_is_like_nothing() -> None:
    assert not same_reply(b"garbage", encode({"value": 1}), DEFAULT_CAP)


class Here:
    """A learner in this process that counts what it is asked."""

    def __init__(self) -> None:
        self.workbench, self.asked, self.budget = Workbench(), 0, Budget(1.0, 1.0)

    def exchange(self, request: bytes) -> bytes:
        self.asked += 1
        return self.workbench.exchange(request)


def recorded(job: Job, source: str, *numbers: float) -> Recording:
    recording = Recording(Here(), "test")
    solution = Solution(recording)
    load(solution, job, source, "test")
    recording.begin()
    for number in numbers:
        solution.double(number)
    return recording


def test_what_a_mistake_has_answered_it_is_not_asked_again() -> None:
    mistakes = {"doubled": "def double(x): return 2 * x\n", "squared": "def double(x): return x * x\n"}
    job = replace(make_job(make_package(), "", seed=0), mistakes=mistakes)
    known: Known = {}

    def matching(source: str, *numbers: float) -> tuple[list[str], int]:
        here = Here()
        found = matching_mistakes(job, [recorded(job, source, *numbers)], cast("RemoteLearner", here), known)
        return found, here.asked

    load_and_call = 2
    assert matching("def double(x): return x + x\n", 2.0) == (["doubled", "squared"], 2 * load_and_call)
    assert matching("def double(x): return 2 * x\n", 2.0) == (["doubled", "squared"], 0)
    assert matching("def double(x): return x - 1\n", 2.0) == ([], 0)
    # More than is known, or another question: asked from the start.
    assert matching("def double(x): return x * x\n", 2.0, 3.0) == (["squared"], 2 * (load_and_call + 1))
    assert matching("def double(x): return x * x\n", 2.0, 3.0) == (["squared"], 0)
    assert matching("def double(x): return 2 * x\n", 5.0) == (["doubled"], 2 * load_and_call)
