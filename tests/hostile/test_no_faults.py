"""No learner can make a submission end as our fault: it would be judged again, for nothing, and again."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from exercises.package import Package, from_files
from grader.judge import judge
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
    assert len(report.stdout) == 100 * 30_001
