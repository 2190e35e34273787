"""The cheapest exercise there can be, and submissions that end in every way a submission can end."""

from __future__ import annotations

from exercises.package import Package, from_files
from grader.report import Verdict

_FILES = {
    "exercise.toml": """
slug = "cheap"
title = "Cheap"
framework = "numpy"
level = "beginner"
minutes = 1
[[entry]]
name = "f"
kind = "function"
signature = "f(x)"
[limits]
cpu_seconds = 0.2
total_cpu_seconds = 0.4
memory_mb = 64
output_kb = 4
reply_mb = 0.25
""",
    "prompt.md": "Return `x`.",
    "starter.py": "def f(x): ...\n",
    "reference.py": "def f(x): return x\n",
    "tests.py": """
from exercises.testkit import close

def test_one(solution):
    '''The only one.'''
    close(solution.f(1.0), 1.0)
""",
    "mistakes/twice.py": "'''Twice.\n\nOnce.'''\ndef f(x): return 2 * x\n",
}

ENDINGS: tuple[tuple[str, Verdict], ...] = (
    ("def f(x): return x", Verdict.ACCEPTED),
    ("def f(x): return 3 * x", Verdict.WRONG_ANSWER),
    ("def f(x): return 2 * x", Verdict.WRONG_ANSWER),
    ("def f(x): return 1 / 0", Verdict.RUNTIME_ERROR),
    ("import os\ndef f(x): os._exit(0)", Verdict.RUNTIME_ERROR),
    ("import ctypes\ndef f(x): ctypes.string_at(0)", Verdict.RUNTIME_ERROR),
    ("def f(x):\n    while True: pass", Verdict.TIME_LIMIT),
    ("def f(x): return bytearray(1 << 30)", Verdict.MEMORY_LIMIT),
    ("def f(x): print('x' * 100_000)", Verdict.OUTPUT_LIMIT),
    ("def f(x): return bytes(1 << 20)", Verdict.OUTPUT_LIMIT),
    ("open('/box/left', 'w').write('x' * 9999)\ndef f(x): return x", Verdict.ACCEPTED),
    ("def g(x): return x", Verdict.INVALID_SUBMISSION),
    ("def f(x: return x", Verdict.INVALID_SUBMISSION),
)
"""Source, and the verdict it must get."""


def cheap_package() -> Package:
    return from_files({path: text.encode() for path, text in _FILES.items()})
