"""An answer that a test sent along is found, however it was wrapped; what learners may know is left alone."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

from exercises.testkit import close, equal
from exercises.testkit.compare import tolerances
from exercises.testkit.solution import Solution
from exercises.testkit.witness import witnessed
from exercises.testkit.workbench import Workbench
from grader.checker.leaks import Ledger
from grader.checker.series import Leak

SOURCE = """
import numpy as np
import torch

def take(*args, **kwargs):
    return 0

def give(value, *others):
    return value

class Holder(torch.nn.Module):
    def __init__(self, value=None):
        super().__init__()
        self.value, self.weight = value, torch.nn.Parameter(torch.zeros(3, 6))

    def forward(self, rows):
        return self.weight[rows]
"""
ANSWER = np.array([3.5, -1.25, 0.5, 8.0, 2.75, -4.0])
TABLE = np.arange(18.0).reshape(3, 6) ** 2


class Run:
    """Tests that send and compare, one after the other, as a proof runs them."""

    def __init__(self) -> None:
        self.ledger = Ledger(Workbench())
        self.solution = Solution(self.ledger)
        self.solution.load_source(SOURCE, seed=0)
        self.begin("test_first")

    def begin(self, name: str) -> None:
        self.ledger.begin(name)

    def expect(self, expected: Any, *, within: float = 0.0, exactly: bool = False) -> None:
        """Compare with a value that the solution computed from something else."""
        answer = Solution.local(SOURCE).give(expected)
        self.solution.take(1)
        with witnessed(self.ledger.witness), tolerances(within, within):
            equal(answer, expected) if exactly else close(answer, expected)

    @property
    def leaks(self) -> list[Leak]:
        return self.ledger.leaks()


@pytest.fixture
def tests() -> Run:
    return Run()


@pytest.mark.parametrize(
    "sent",
    [
        ANSWER,
        torch.from_numpy(ANSWER),
        ANSWER.astype(np.float32),
        ANSWER.reshape(2, 3),
        np.stack([ANSWER + 1, ANSWER, ANSWER - 1]),
        np.concatenate([[0.0, 1.0], ANSWER, [0.0]]),
        ANSWER.tolist(),
        [1, ("text", [*ANSWER.tolist(), 0.0])],
        {"a": ANSWER[:2], "b": ANSWER[2:]},
        {(1, 2): ANSWER.tolist(), (3, 4): []},
        {tuple(ANSWER.tolist()): 1},
    ],
)
def test_what_was_sent_is_found_whole_as_a_row_and_inside_a_sequence(tests: Run, sent: object) -> None:
    tests.solution.take(sent)
    tests.begin("test_second")
    tests.expect(ANSWER)
    assert tests.leaks == [Leak("test_second", "test_first", ANSWER.tolist())]


@pytest.mark.parametrize(
    "expected",
    [
        ANSWER,
        torch.from_numpy(ANSWER),
        np.stack([TABLE[2], ANSWER]),
        (1.5, ANSWER),
        {"found": ANSWER},
        [[7.0], ANSWER.tolist()],
        np.array([[np.inf] * 6, ANSWER]),
    ],
)
def test_a_part_of_what_is_expected_is_enough(tests: Run, expected: object) -> None:
    tests.solution.take(ANSWER)
    with witnessed(tests.ledger.witness):
        tests.solution.take(2)
        equal(expected, expected)
    assert [leak.numbers for leak in tests.leaks] == [ANSWER.tolist()]


def test_a_keyword_a_cotangent_and_a_method_are_sent_too(tests: Run) -> None:
    holder = tests.solution.Holder()
    tests.solution.take(other=ANSWER)
    holder.gradients(torch.tensor([0]), cotangent=torch.from_numpy(TABLE[1:2]).float())
    tests.begin("test_second")
    tests.expect(ANSWER)
    tests.expect(TABLE[1])
    assert len(tests.leaks) == 1
    assert tests.leaks[0].sender == "test_first"


def test_the_argument_of_a_constructor_is_found_even_if_it_was_the_last_call(tests: Run) -> None:
    holder = tests.solution.Holder(ANSWER)
    with witnessed(tests.ledger.witness):
        close(holder.attribute("value"), ANSWER)
    assert tests.leaks == [Leak("test_first", "test_first", ANSWER.tolist())]


def test_what_lies_within_the_tolerance_is_found(tests: Run) -> None:
    tests.solution.take(ANSWER + 0.001)
    tests.expect(ANSWER, within=1e-4)
    assert tests.leaks == []
    tests.expect(ANSWER, within=1e-2)
    assert len(tests.leaks) == 1


@pytest.mark.parametrize(
    "value",
    [
        np.arange(6),
        np.arange(6, dtype=np.uint8),
        torch.arange(6).to(torch.bfloat16),
        ANSWER + 1j,
        np.array([*ANSWER, np.inf, -np.inf]),
        np.array([*ANSWER, np.nan]),
        "not a word of it",
        b"not a byte",
    ],
)
def test_numbers_of_every_kind_and_texts_are_found(tests: Run, value: object) -> None:
    tests.expect(value, exactly=True)
    assert tests.leaks == []
    tests.solution.take(value)
    tests.expect(value, exactly=True)
    assert len(tests.leaks) == 1


@pytest.mark.parametrize("sent", [[5, 9, 3, 8, 6, 4], torch.tensor([[0, 5, 9, 3, 8, 6, 4, 0]])])
@pytest.mark.parametrize("marks", [([1], []), ([], [2]), ([1], [2])])
def test_a_mark_at_either_end_of_tokens_hides_nothing(
    tests: Run, sent: object, marks: tuple[list[int], list[int]]
) -> None:
    begin, end = marks
    tests.solution.take(sent)
    tests.expect([*begin, 5, 9, 3, 8, 6, 4, *end], exactly=True)
    tests.expect(np.array([[*begin, 5, 9, 3, 8, 6, 4, *end]]))
    assert len(tests.leaks) == 1
    assert tests.leaks[0].numbers == [5, 9, 3, 8, 6, 4]


def test_a_sentence_is_its_words(tests: Run) -> None:
    tests.solution.take(["the", "cat", "sat"])
    tests.expect("the cat sat", exactly=True)
    assert len(tests.leaks) == 1


def test_what_is_sent_later_is_no_answer_sent_along(tests: Run) -> None:
    tests.expect(ANSWER)
    tests.solution.take(ANSWER)
    assert tests.leaks == []


def test_the_input_of_the_call_that_answers_may_be_the_answer(tests: Run) -> None:
    tests.solution.take(ANSWER)
    with witnessed(tests.ledger.witness):
        close(tests.solution.give(ANSWER), ANSWER)
        close(tests.solution.give(TABLE), TABLE)
        close(tests.solution.give(TABLE)[1], TABLE[1])
    assert tests.leaks == []


def test_fewer_than_six_different_values_may_stand_anywhere(tests: Run) -> None:
    few = np.array([1.0, 2.0, 3.0, 4.0, 5.0] * 3)
    nearly = np.array([1.0, 1.0 + 1e-9, 2.0, 3.0, 4.0, 5.0])
    tests.solution.take(few, nearly, np.zeros((4, 9)))
    tests.expect(few)
    tests.expect(nearly, within=1e-6)
    tests.expect(np.zeros((4, 9)))
    assert tests.leaks == []


def test_rows_of_parameters_that_the_test_loaded_itself_may_be_the_answer(tests: Run) -> None:
    holder = tests.solution.Holder()
    holder.load({"weight": torch.from_numpy(TABLE).float()})
    with witnessed(tests.ledger.witness):
        close(holder(torch.tensor([2, 0])), torch.from_numpy(TABLE[[2, 0]]).float())
    assert tests.leaks == []


def test_nobody_is_told_outside_of_the_block(tests: Run) -> None:
    close(ANSWER, ANSWER)
    with witnessed(tests.ledger.witness):
        close(ANSWER, ANSWER)
        equal(ANSWER, ANSWER)
    close(ANSWER, ANSWER)
    assert len(tests.ledger.comparisons) == 2


def test_one_row_is_told_for_each_pair_of_tests(tests: Run) -> None:
    tests.solution.take(TABLE)
    tests.begin("test_second")
    tests.expect(TABLE[::-1].copy())
    tests.expect(TABLE[1])
    assert [(leak.test, leak.sender) for leak in tests.leaks] == [("test_second", "test_first")]
