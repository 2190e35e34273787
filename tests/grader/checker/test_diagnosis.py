"""Which mistake is named, and by what."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

from grader.checker.diagnosis import Known, diagnose, might_be_named
from grader.checker.job import Job, Named
from grader.checker.runner import Runner
from grader.judge import make_job
from tests.grader.checker.here import Here, NoInit
from tests.grader.small import make_package

# Double the first; of a pair, double both; refuse text.
REFERENCE = """
def double(x):
    if isinstance(x, str):
        raise TypeError("text")
    return [2 * one for one in x] if isinstance(x, list) else 2 * x
"""
TESTS = """
import numpy as np
from exercises.testkit import close

def test_one(solution):
    close(solution.double(3.0), 6.0)

def test_two(solution):
    close(solution.double(5.0), 10.0)

def test_negative(solution):
    close(solution.double(np.array([-1.0, -2.0, -3.0])), np.array([-2.0, -4.0, -6.0]))

def test_pair(solution):
    for double, right in zip(solution.double([1.0, 4.0, 5.0, 6.0]), [2.0, 8.0, 10.0, 12.0]):
        close(double, right)
"""
EACH = "def double(x):\n    return [one(y) for y in x] if isinstance(x, list) else one(x)\n\n\n"
SQUARED = EACH + "def one(x):\n    return x * x\n"
MISTAKES = {
    "squared": [SQUARED],
    "positive-only": [EACH + "def one(x):\n    return 2 * abs(x)\n"],
    "no-lists": ["def double(x):\n    return 2.0 * x\n"],
}


def a_job(source: str, **facts: object) -> Job:
    job = make_job(make_package(), source, seed=0)
    return replace(job, reference=REFERENCE, tests=TESTS, mistakes=MISTAKES, **facts)  # type: ignore[arg-type]


def judged(job: Job, known: Known | None = None) -> tuple[list[Named], int]:
    """What is named, and how many requests that took."""
    runner = Runner(job, NoInit(), lambda test, total: None, Here(job))
    runner.run()
    learner = Here(job)
    return diagnose(job, runner.recordings, runner.passed, learner, known or Known()), learner.asked


def named(source: str, mistakes: Mapping[str, list[str]] = MISTAKES) -> list[str]:
    return [one.slug for one in judged(replace(a_job(source), mistakes=mistakes))[0]]


def test_a_mistake_is_named_however_it_is_written_and_what_it_rests_on_is_told() -> None:
    source = (
        "import numpy as np\ndef double(x):\n    return np.square(x).tolist() if isinstance(x, list) else x ** 2.0\n"
    )
    assert judged(a_job(source))[0] == [Named("squared", "All 9 wrong values in the 4 failed tests fit.", whole=True)]


def test_a_mistake_that_fails_what_the_submission_passes_is_not_named() -> None:
    # Wrong for 3 as squaring is, and right for everything else.
    assert named(EACH + "def one(x):\n    return 9.0 if x == 3.0 else 2 * x\n") == []


def test_other_spellings_share_a_name_and_never_cancel_each_other() -> None:
    again = EACH + "def one(x):\n    return x ** 2\n"
    assert named(SQUARED, {"squared": [SQUARED, again]}) == ["squared"]
    assert named(SQUARED, {"squared": [SQUARED], "to-the-power": [again]}) == []


def test_exceptions_of_one_kind_are_no_evidence_alone() -> None:
    raising = "def double(x):\n    if isinstance(x, list):\n        raise {}\n    return 2 * x\n"
    assert named(raising.format("TypeError('mine')")) == []
    assert named(raising.format("ValueError('can\\'t multiply sequence by non-int of type \\'float\\'')")) == []
    assert named("def double(x):\n    y = 2.0\n    return y * x\n") == ["no-lists"]  # word for word, and nothing else


def test_two_mistakes_are_named_when_each_explains_its_part() -> None:
    lists_squared = "def double(x):\n    return [y * y for y in x] if isinstance(x, list) else 2 * x\n"
    source = "def double(x):\n    return [y * y for y in x] if isinstance(x, list) else 2 * abs(x)\n"
    found, _ = judged(replace(a_job(source), mistakes={**MISTAKES, "lists-squared": [lists_squared]}))
    assert [(one.slug, one.whole) for one in found] == [("lists-squared", False), ("positive-only", False)]


def test_the_part_that_is_explained_is_named_and_the_rest_is_not() -> None:
    source = "def double(x):\n    if isinstance(x, list):\n        raise RuntimeError('other')\n    return x * x\n"
    (found,) = judged(a_job(source))[0]
    evidence = "All 5 wrong values in 3 of 4 failed tests fit; the others fail in another way."
    assert found == Named("squared", evidence, whole=False)


def test_few_wrong_values_do_not_make_a_part() -> None:
    first_lost = "import numpy as np\ndef double(x):\n    if isinstance(x, np.ndarray): return np.r_[0.0, 2 * x[1:]]\n"
    source = f"{first_lost}    return [y - 9 for y in x] if isinstance(x, list) else 2 * x\n"
    right_else = f"{first_lost}    return [2 * y for y in x] if isinstance(x, list) else 2 * x\n"
    assert named(source, {"first-lost": [right_else]}) == []
    assert named(right_else, {"first-lost": [right_else]}) == ["first-lost"]


def test_two_mistakes_that_cannot_be_told_apart_are_not_named() -> None:
    assert named(SQUARED, {"a": [SQUARED], "b": [SQUARED + "\n"]}) == []


def test_a_mistake_is_loaded_once_and_asked_the_smallest_test_first() -> None:
    found, asked = judged(replace(a_job("def double(x):\n    return x - 100\n")))
    begin, load, call = 1, 1, 1
    smallest_tests = 3
    assert found == []
    assert asked <= len(MISTAKES) * smallest_tests * (load + begin + call)


def test_what_a_mistake_has_answered_it_is_not_asked_again() -> None:
    known = Known()
    first, asked = judged(a_job(SQUARED), known)
    again, not_asked = judged(a_job(SQUARED), known)
    assert first == again
    assert asked > 0
    assert not_asked == 0


@pytest.mark.parametrize(("source", "expected"), [(SQUARED, True), ("def double(x):\n    return 0.5\n", False)])
def test_whether_anything_might_be_named_is_known_after_the_smallest_test(source: str, expected: bool) -> None:
    job = a_job(source, stop_early=True)
    runner = Runner(job, NoInit(), lambda test, total: None, Here(job))
    runner.run()
    assert might_be_named(job, runner.recordings, Here(job), Known()) is expected


def test_a_test_of_a_large_model_is_not_the_smallest_however_little_it_asks() -> None:
    tests = (
        "import torch\nfrom exercises.testkit import close, equal\n"
        "def test_many(solution):\n    equal(len(solution.Model(200).names()), 200)\n"
        "def test_some(solution):\n    close(solution.Model(2).forward(torch.ones(90)), torch.ones(90))\n"
    )
    program = (
        "import torch\n\n\nclass Model(torch.nn.Module):\n    def __init__(self, n):\n        super().__init__()\n"
        "        self.all = torch.nn.ParameterList([torch.zeros(1) for _ in range(n{})])\n\n"
        "    def forward(self, x):\n        return {} * x\n"
    )
    job = replace(
        a_job(program.format(" - 1", 8.0), stop_early=False),
        entries=[{"name": "Model", "kind": "class", "signature": "Model(n)"}],
        reference=program.format("", 1.0),
        tests=tests,
        mistakes={"one-less": [program.format(" - 1", 9.0)]},
    )
    runner = Runner(job, NoInit(), lambda test, total: None, Here(job))
    runner.run()
    assert not might_be_named(job, runner.recordings, Here(job), Known())
