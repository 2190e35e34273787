"""What a learner is charged, and what its exceptions mean."""

from __future__ import annotations

import socket

import pytest

from exercises.testkit.solution import LearnerError
from grader.checker.job import WALL_FACTOR
from grader.checker.remote import Budget, Fault, Init, learner_failure
from grader.judge import make_job
from grader.report import Outcome
from tests.grader.judging import an_exercise


def test_a_test_may_use_its_own_share_and_never_more_than_the_submission_has_left() -> None:
    budget = Budget(test_limit=2.0, total_limit=3.0)
    budget.charge(1.5, 1.5)
    assert budget.left == pytest.approx(0.5)
    budget.begin_test()
    assert budget.left == pytest.approx(1.5)
    assert not budget.spent
    budget.charge(1.5, 1.5)
    assert budget.spent


def test_waiting_for_a_busy_machine_is_given_back_but_no_work_is() -> None:
    budget = Budget(test_limit=1.0, total_limit=1.0)
    budget.charge(0.5, WALL_FACTOR)
    budget.credit(1.0)
    assert budget.wall_left == 1.0
    assert not budget.spent
    budget.credit(100.0)
    assert budget.total_waited == budget.total_used == 0.5


def test_waiting_uses_up_a_submission_as_work_does() -> None:
    budget = Budget(test_limit=1.0, total_limit=1.0)
    budget.charge(0.0, WALL_FACTOR)
    assert budget.wall_left == 0.0
    assert budget.spent


@pytest.mark.parametrize(
    ("type_name", "message"),
    [
        ("MemoryError", ""),
        ("_ArrayMemoryError", "Unable to allocate 8 GiB"),
        ("RuntimeError", "[enforce fail at alloc_cpu.cpp:1] . DefaultCPUAllocator: can't allocate memory"),
        ("RuntimeError", "std::bad_alloc"),
    ],
)
def test_a_failed_allocation_is_a_memory_limit_however_it_is_spelled(type_name: str, message: str) -> None:
    job = make_job(an_exercise(), "", 0)
    outcome, sentence = learner_failure(LearnerError(type_name, message, ""), job)
    assert outcome is Outcome.MEMORY_LIMIT
    assert f"{job.memory_mb} MB" in sentence


def test_any_other_exception_is_told_with_its_line() -> None:
    outcome, sentence = learner_failure(LearnerError("ValueError", "no", "", 7), make_job(an_exercise(), "", 0))
    assert outcome is Outcome.RUNTIME_ERROR
    assert sentence == "ValueError: no (line 7)"


@pytest.mark.parametrize("read_first", [True, False], ids=["in the middle", "before"])
def test_an_init_that_has_ended_is_our_fault_and_says_nothing_of_the_learner(read_first: bool) -> None:
    """It takes the learner with it, whose silence must not pass for the learner's own end."""
    for ask in (lambda init: init.ask("why"), lambda init: init.ask("mark", test="0"), Init.new_learner):
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        init = Init(ours.detach())
        if read_first:
            theirs.shutdown(socket.SHUT_WR)
        else:
            theirs.close()
        with theirs, init._socket, pytest.raises(Fault, match="init"):
            ask(init)
