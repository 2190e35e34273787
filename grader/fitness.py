"""Whether a machine grades, found out by grading: what it only seems able to do shows in no list of layers."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from exercises.package import Package, from_files
from grader.judge import judge
from grader.report import Verdict
from grader.sandbox import PlatformFault, Sandbox, SandboxUnavailable
from grader.sandbox.levels import LayerStatus, memory_bound

_FILES = {
    "exercise.toml": """
slug = "fitness"
title = "Fitness"
framework = "numpy"
level = "beginner"
minutes = 1
[[entry]]
name = "double"
kind = "function"
signature = "double(x)"
[limits]
cpu_seconds = 0.1
total_cpu_seconds = 0.5
""",
    "prompt.md": "Return twice `x`.",
    "starter.py": "def double(x):\n    return None\n",
    "reference.py": "def double(x):\n    return 2 * x\n",
    "tests.py": """
from exercises.testkit import close

def test_three(solution):
    '''Twice three.'''
    close(solution.double(3.0), 6.0)
""",
}
# What passes, what is compared and differs, and what has to be killed: each asks something else of the sandbox.
_PROGRAMS = {
    "def double(x):\n    return x + x\n": Verdict.ACCEPTED,
    "def double(x):\n    return x * x\n": Verdict.WRONG_ANSWER,
    "def double(x):\n    while True:\n        pass\n": Verdict.TIME_LIMIT,
}


@dataclass(frozen=True, slots=True)
class Examination:
    """The level (empty when nothing can be graded here), every layer, what bounds memory, and why not if not."""

    level: str
    layers: list[LayerStatus]
    refusal: str
    memory: str = ""


def why_unfit(sandbox: Sandbox) -> str:
    """Why nothing can be graded in `sandbox`, as a sentence; empty if three small programs get their verdicts.

    Raises `Cancelled` once the sandbox is told to stop.
    """
    for source, expected in _PROGRAMS.items():
        # A second try tells a machine that cannot from a process that was killed by chance.
        if _problem(source, expected, sandbox) and (problem := _problem(source, expected, sandbox)):
            return problem
    return ""


def _problem(source: str, expected: Verdict, sandbox: Sandbox) -> str:
    try:
        report = judge(_package(), source, seed=0, sandbox=sandbox)
    except SandboxUnavailable as error:
        return str(error)
    except (PlatformFault, OSError) as error:
        return f"Nothing is graded here: judging a program that is {expected} failed. {error}"
    if report.verdict is not expected:
        return f"Nothing is graded here: a program that is {expected} was found {report.verdict}."
    return ""


def examine(minimum_level: str = "D") -> Examination:
    """Start a sandbox, look at its layers, judge in it, stop it."""
    try:
        with Sandbox(minimum_level=minimum_level) as sandbox:
            try:
                level, refusal = sandbox.level, why_unfit(sandbox)
            except SandboxUnavailable as error:
                level, refusal = "", str(error)
            memory = memory_bound(sandbox.layers) if sandbox.layers else ""
            return Examination("" if refusal else level, sandbox.statuses if sandbox.layers else [], refusal, memory)
    except (SandboxUnavailable, PlatformFault, OSError) as error:
        return Examination("", [], str(error))


@cache
def _package() -> Package:
    return from_files({path: text.encode() for path, text in _FILES.items()})
