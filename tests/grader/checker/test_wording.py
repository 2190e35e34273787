"""Every sentence about a verdict, produced by a real submission, and kept word for word in wording.md."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from grader import wording
from grader.judge import PlatformFault, judge
from grader.models import State
from grader.report import Report
from grader.sandbox import Sandbox
from grader.selectors import shown
from tests.grader.judging import IDENTITY, THREE_TESTS, an_exercise
from tests.grader.small import QueueUp
from tests.snapshots import Snapshots, pattern

SNAPSHOTS = Snapshots(Path(__file__).with_name("wording.md"))
ADDS = """
from exercises.testkit import close

def test_sum(solution):
    '''A sum.'''
    close(solution.f(1.0) + 1, 2.0)
"""
TWICE_THE_SAME = """
from exercises.testkit import deterministic

def test_same(solution):
    '''Twice the same.'''
    deterministic(solution.f, 1.0)

def test_other(solution):
    '''Another number.'''
    deterministic(solution.f, 2.0)
"""
MAKES_ROOM = """
import numpy as np
from exercises.testkit import close

def test_room(solution):
    '''So many zeros.'''
    close(np.zeros(int(solution.f(1.0))), [0.0])
"""
SLOW_TO_COMPARE = "VALUES = [complex(n) for n in range(99_000)]\ndef f(x): return VALUES\n"
SLOW = "import time\nuntil = time.process_time() + {}\nwhile time.process_time() < until: pass\n"
TRIES = 5

CASES: dict[str, tuple[str | bytes, dict[str, Any]]] = {
    "accepted": (IDENTITY, {}),
    "wrong answer": ("def f(x): return x if x < 2 else -x\n", {}),
    "runtime error": ("def f(x):\n    return x[0]\n", {}),
    "time limit: processor": ("def f(x):\n    while x < 2: pass\n    return x\n", {}),
    "time limit: asleep": ("import time\ndef f(x): time.sleep(99)\n", {}),
    "time limit: all tests together": ("def f(x):\n    while True: pass\n", {"total_cpu_seconds": 0.4}),
    "time limit: nothing returned": ("def f(x):\n    while True: pass\n", {"total_cpu_seconds": 4.0}),
    "memory limit": ("def f(x): return bytearray(1 << 30)\n", {}),
    "output limit: printed": ("def f(x): print('x' * 100_000)\n", {}),
    "output limit: returned": ("def f(x): return bytes(2 << 20)\n", {}),
    "output limit: too many values": ("def f(x): return [0] * 100_001\n", {}),
    "crashed": ("import ctypes\ndef f(x): ctypes.string_at(0)\n", {}),
    "nobody types": ("def f(x): return float(input())\n", {}),
    "no GPU": ("import torch\ndef f(x): return torch.ones(1).cuda()\n", {}),
    "no other device": ("import torch\ndef f(x): return torch.ones(1, device='mps')\n", {}),
    "no generator on a GPU": ("import torch\ndef f(x): return torch.Generator(device='cuda')\n", {}),
    "no pinned memory": ("import torch\ndef f(x): return torch.zeros(1).pin_memory()\n", {}),
    "no Metal": ("import torch\ndef f(x): return torch.mps.synchronize()\n", {}),
    "no such backend": ("import torch\ndef f(x): return torch.tensor([1.0], device='hpu')\n", {}),
    "no default device": ("import torch\ntorch.set_default_device('cuda')\ndef f(x): return torch.ones(1)\n", {}),
    "no compiler": ("import torch\n@torch.compile\ndef f(x): return x\n", {}),
    "too long to compare": (
        SLOW_TO_COMPARE,
        {"tests": TWICE_THE_SAME, "cpu_seconds": 1.5, "total_cpu_seconds": 1.5, "reply_mb": 4.0},
    ),
    "too large to compare": ("def f(x): return 1e11\n", {"tests": MAKES_ROOM}),
    "module not there": ("import pandas\n\ndef f(x): return x\n", {}),
    "not loaded: too slow": (f"{SLOW.format(2.0)}def f(x): return x\n", {}),
    "not loaded: anew too often": (
        f"import os\n{SLOW.format(0.5)}def f(x): os._exit(0)\n",
        {"tests": THREE_TESTS + "\ndef test_four(solution):\n    solution.f(4.0)\n"},
    ),
    "exited": ("import os\ndef f(x): os._exit(0)\n", {}),
    "forged answer": ("import os\ndef f(x):\n    os.write(3, b'HTTP/1.1 200 OK' * 10)\n    return x\n", {}),
    "unusable": ("def f(x): return 'one'\n", {"tests": ADDS}),
    "nested too deeply": ("y = " + "-" * 50_000 + "1\n", {}),
    "syntax": ("def f(x):\n    return (x\n", {}),
    "syntax: a question": ("def f(x):\n    print x\n", {}),
    "syntax: of a notebook": ("%matplotlib inline\ndef f(x): return x\n", {}),
    "missing function": ("def g(x): return x\n", {}),
    "missing class": (IDENTITY, {"kind": "class", "reference": "class f: ...\n"}),
    "forbidden": ("import torch\n\ndef f(x): return torch.softmax(x, 0)\n", {"forbidden": ("torch.softmax",)}),
    "insides of the library": (
        "import torch\n\ndef f(x): return torch.ops.aten.softmax(x, 0)\n",
        {"forbidden": ("softmax",)},
    ),
    "a notebook": ('{"nbformat": 4, "cells": []}', {}),
    "a notebook's function": ("get_ipython().run_line_magic('time', '')\ndef f(x): return x\n", {}),
    "no network": ("import urllib.request\ndef f(x): return urllib.request.urlopen('http://example.org')\n", {}),
    "no threads": ("import threading\ndef f(x): threading.Thread(target=print).start()\n", {}),
    "only computing": ("import os\ndef f(x): os.kill(1, 0)\n", {}),
    "super left out": (
        "import torch\nclass A(torch.nn.Module):\n    def __init__(self): self.a = torch.nn.Linear(1, 1)\n"
        "def f(x): return A()\n",
        {},
    ),
    "a character that cannot be seen": ("def f(x):\n\xa0   return x\n", {}),
    "empty": (" \n", {}),
    "nul bytes": (b"def f(x): return x\0\n", {}),
    "not utf-8": (b"# caf\xe9\n", {}),
    "too large": ("#" * 300_000, {}),
}


def judged(name: str, sandbox: Sandbox) -> Report:
    """A busy machine may starve a learner, which is no verdict: then again."""
    source, options = CASES[name]
    for attempt in range(TRIES):
        try:
            return judge(an_exercise(**options), source, seed=0, sandbox=sandbox)
        except PlatformFault:
            if attempt == TRIES - 1:
                raise
    raise AssertionError


def told(report: Report) -> str:
    tests = "\n".join(f"- {test.title}: {test.outcome.value}. {test.message}".rstrip() for test in report.tests)
    version = "Python {}.{}".format(*sys.version_info)
    return f"{wording.TITLES[report.verdict]}\n\n{report.message}\n\n{tests}".rstrip().replace(version, "Python 3.x")


@pytest.mark.parametrize("name", CASES)
def test_a_verdict_is_told_word_for_word_as_it_was(sandbox: Sandbox, name: str) -> None:
    SNAPSHOTS.check(name, told(judged(name, sandbox)))


def test_a_held_submission_is_told_word_for_word_as_it_was(queue_up: QueueUp) -> None:
    view = shown(queue_up(state=State.HELD, fault="zygote died"), to_teacher=False)
    SNAPSHOTS.check("held", f"{view.title}\n\n{view.message}")


def test_nothing_is_kept_that_is_no_longer_said() -> None:
    SNAPSHOTS.keep_only({*CASES, "held"})


def sentences() -> Iterator[tuple[str, str]]:
    for name, value in vars(wording).items():
        if name.isupper():
            yield from (
                ((f"{name}[{key}]", text) for key, text in value.items())
                if isinstance(value, dict)
                else [(name, value)]
            )


@pytest.mark.parametrize(("name", "sentence"), list(sentences()))
def test_every_sentence_is_here(name: str, sentence: str) -> None:
    assert any(pattern(sentence).search(text) for text in SNAPSHOTS.all().values())
