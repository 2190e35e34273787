"""No learner can make a submission end as our fault: it would be judged again, for nothing, and again."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from exercises.package import Package, from_files
from grader.judge import judge
from grader.prints import ROW_BYTES
from grader.report import Report, Verdict
from grader.sandbox import Sandbox
from tests.hostile.emulate import load_package

TESTS = """
import numpy as np
import pytest
from exercises.testkit import close

@pytest.mark.parametrize("number", range({count}))
def test_ones(solution, number):
    close(solution.twice(np.ones(2)), [2.0, 2.0])
"""
LONG_ERRORS = """
import support

def twice(x):
    text = "\\U0001f600" * 10_000
    support.forge(support.real_encode({"error": {"type": text, "message": text, "traceback": text, "line": 1}}))
"""
CLOSED_BUT_ALIVE = """
import os
import time

def twice(x):
    os.close(3)
    time.sleep(60)
"""
NAPS = """
import time

def twice(x):
    time.sleep(0.4)
    return 2.0 * x
"""
MUCH_PRINTED = """
def twice(x):
    print("x" * 30_000)
    return 2.0 * x
"""
NAPS_THEN_WORK = """
import builtins
import time

def twice(x):
    builtins.calls = getattr(builtins, "calls", 0) + 1
    while builtins.calls > 4:
        pass
    time.sleep(0.61)
    return 2.0 * x
"""
TENSORS_FOR_TEXTS = """
import torch
import support

def twice(x):
    slow = [torch.zeros((1000, 1, 1, 1, 1, 1, 1, 1), dtype=torch.bool)] * 1000
    support.forge(support.real_encode({"error": {"type": slow, "message": slow, "traceback": slow, "line": 1}}))
"""
MANY_ODD_NUMBERS = """
VALUES = [complex(n) for n in range(99_000)]

def twice(x):
    return VALUES
"""


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox() as sandbox:
        yield sandbox


def exercise(*, tests: int, cpu_seconds: float = 0.1, total_cpu_seconds: float = 2.0, output_kb: int = 16) -> Package:
    package: Package = load_package("hostile-numpy", "no secret")
    seconds = f"cpu_seconds = {cpu_seconds}\ntotal_cpu_seconds = {total_cpu_seconds}\n"
    limits = f"[limits]\n{seconds}output_kb = {output_kb}\n"
    toml = package.files["exercise.toml"].decode().partition("[limits]")[0] + limits
    return from_files({**package.files, "exercise.toml": toml.encode(), "tests.py": TESTS.format(count=tests).encode()})


def submit(sandbox: Sandbox, package: Package, source: str) -> Report:
    return judge(package, source, seed=0, sandbox=sandbox)


def test_a_hundred_errors_as_long_as_they_may_be(sandbox: Sandbox) -> None:
    report = submit(sandbox, exercise(tests=100), LONG_ERRORS)
    assert report.verdict is Verdict.RUNTIME_ERROR


def test_pretending_to_die_costs_time_like_everything_else(sandbox: Sandbox) -> None:
    report = submit(sandbox, exercise(tests=30, total_cpu_seconds=0.4), CLOSED_BUT_ALIVE)
    assert report.verdict is Verdict.RUNTIME_ERROR
    assert report.tests[-1].outcome.value == "not_run"


def test_naps_in_every_call_cost_time_together(sandbox: Sandbox) -> None:
    report = submit(sandbox, exercise(tests=30, total_cpu_seconds=0.4), NAPS)
    assert report.verdict is Verdict.TIME_LIMIT
    assert report.tests[-1].outcome.value == "not_run"


def test_as_much_output_as_an_exercise_may_allow(sandbox: Sandbox) -> None:
    report = submit(sandbox, exercise(tests=100, output_kb=4096), MUCH_PRINTED)
    assert report.verdict is Verdict.ACCEPTED
    assert len(report.stdout) > 100 * 3_000
    assert len(json.dumps(report.to_json())) <= ROW_BYTES


def test_naps_do_not_become_our_fault_by_work_at_the_end(sandbox: Sandbox) -> None:
    report = submit(sandbox, exercise(tests=10, cpu_seconds=0.5, total_cpu_seconds=0.5), NAPS_THEN_WORK)
    assert report.verdict is Verdict.TIME_LIMIT
    assert [test.outcome.value for test in report.tests] == ["passed"] * 4 + ["time_limit"] + ["not_run"] * 5


def test_no_time_goes_into_printing_what_should_have_been_a_text(sandbox: Sandbox) -> None:
    report = submit(sandbox, exercise(tests=20), TENSORS_FOR_TEXTS)
    assert report.verdict is Verdict.RUNTIME_ERROR
    assert report.seconds.total < 10


def test_what_takes_long_to_compare_ends_the_submission(sandbox: Sandbox) -> None:
    package = exercise(tests=10, cpu_seconds=1.0)
    tests = TESTS.format(count=10).replace("    close(", "    deterministic(solution.twice, np.ones(2))\n    close(")
    tests = tests.replace("import close", "import close, deterministic")
    report = submit(sandbox, from_files({**package.files, "tests.py": tests.encode()}), MANY_ODD_NUMBERS)
    assert report.verdict is Verdict.OUTPUT_LIMIT
    assert report.tests[-1].outcome.value == "not_run"
