"""The small exercise that the queue's tests judge, and the reports that a judge would make of it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

from django.contrib.auth.models import User
from django.utils import timezone

from exercises.package import Package, from_files
from grader.models import Submission
from grader.report import Report, Seconds, Verdict

Person = Callable[[str], User]
QueueUp = Callable[..., Submission]

TOML = """
slug = "double"
title = "Double"
framework = "numpy"
level = "beginner"
minutes = 1
[[entry]]
name = "double"
kind = "function"
signature = "double(x)"
[limits]
cpu_seconds = 1.0
total_cpu_seconds = 2.0
"""
FILES = {
    "exercise.toml": TOML,
    "prompt.md": "Return twice `x`.",
    "starter.py": "def double(x):\n    return None\n",
    "reference.py": "def double(x):\n    return 2 * x\n",
    "tests.py": (
        "import numpy as np\n"
        "from exercises.testkit import close\n"
        "def test_three(solution):\n"
        "    '''Twice three.'''\n"
        "    close(solution.double(np.array([3.0])), np.array([6.0]))\n"
    ),
    "mistakes/square.py": "'''You square.\n\nDouble it.'''\ndef double(x):\n    return x * x\n",
}
SOURCE = "def double(x):\n    return x + x\n"


def make_package(**changed: str) -> Package:
    """The small exercise; `prompt="…"` and the like replace the file of that name."""
    names = {"prompt": "prompt.md", "reference": "reference.py", "tests": "tests.py", "toml": "exercise.toml"}
    files = {**FILES, **{names[name]: text for name, text in changed.items()}}
    return from_files({path: text.encode() for path, text in files.items()})


def end_pauses() -> None:
    """What waits for its time is due."""
    Submission.objects.exclude(not_before=None).update(not_before=timezone.now() - timedelta(seconds=1))


def a_report(verdict: Verdict = Verdict.ACCEPTED, score: int = 3) -> Report:
    return Report(
        exercise="double",
        digest="d" * 64,
        verdict=verdict,
        message="",
        score=score,
        max_score=3,
        tests=(),
        mistakes=(),
        seed=0,
        seconds=Seconds(0.0, 0.0, 0.0),
        sandbox_level="A",
    )
