"""A file is loaded once for a process, as Python does at home: what that keeps, what it costs, what it cannot buy."""

from __future__ import annotations

import pytest

from exercises.package import Package
from grader.judge import judge
from grader.report import Outcome, Report, Verdict
from grader.sandbox import Sandbox
from tests.grader.judging import IDENTITY, THREE_TESTS, an_exercise


def judged(sandbox: Sandbox, source: str, exercise: Package | None = None) -> Report:
    return judge(exercise or an_exercise(), source, seed=0, sandbox=sandbox)


def outcomes(report: Report) -> list[str]:
    return [str(test.outcome) for test in report.tests]


SLOW = "import time\nuntil = time.process_time() + {}\nwhile time.process_time() < until: pass\n"
KEPT = {
    "a table": "import numpy as np\nTABLE = np.zeros(4_000_000)\ndef f(x): return x + TABLE[0]\n",
    "a cache": "import functools\n@functools.lru_cache\ndef g(x): return x\ndef f(x): return g(x)\n",
    "half a second": f"{SLOW.format(0.5)}{IDENTITY}",
    "a page of prints": "print('x' * 15_000)\n" + IDENTITY,
    "an optimiser": "import torch\ntorch.optim.Adam([torch.nn.Parameter(torch.ones(1))])\n" + IDENTITY,
    "a file": "open('/box/table', 'x').write('1')\ndef f(x): return x * float(open('/box/table').read())\n",
    "once only": "import torch\ntorch.set_num_interop_threads(1)\n" + IDENTITY,
    "the command line": "import argparse\nargparse.ArgumentParser().parse_args()\n" + IDENTITY,
}


@pytest.mark.parametrize("source", KEPT.values(), ids=KEPT)
def test_what_a_file_does_when_it_is_loaded_it_does_once(sandbox: Sandbox, source: str) -> None:
    assert judged(sandbox, source).accepted


def test_a_module_counts_on_from_test_to_test(sandbox: Sandbox) -> None:
    source = "calls = 0\ndef f(x):\n    global calls\n    calls += 1\n    print(calls)\n    return x\n"
    assert [test.stdout for test in judged(sandbox, source).tests] == ["1\n", "2\n", "3\n"]


def test_a_dtype_set_at_import_holds_in_every_test_and_one_set_in_a_call_does_not(sandbox: Sandbox) -> None:
    source = (
        "import torch\ntorch.set_default_dtype(torch.float64)\n"
        "def f(x):\n    print(torch.ones(1).dtype)\n    torch.set_default_dtype(torch.float16)\n    return x\n"
    )
    assert [test.stdout for test in judged(sandbox, source).tests] == ["torch.float64\n"] * 3


def test_a_seed_at_import_makes_no_test_draw_the_same_and_every_judgement_draws_alike(sandbox: Sandbox) -> None:
    source = "import torch\ntorch.manual_seed(1)\ndef f(x):\n    print(torch.rand(1).item())\n    return x\n"
    first, again = ([test.stdout for test in judged(sandbox, source).tests] for _ in range(2))
    assert first == again
    assert len(set(first)) == 3


def test_learner_and_reference_draw_alike_in_every_test(sandbox: Sandbox) -> None:
    tests = "\n".join(
        f"def test_{name}(solution, reference):\n    assert solution.f(1.0) == reference.f(1.0)\n" for name in "abc"
    )
    draws = "import torch\ndef f(x): return torch.rand(1).item()\n"
    assert judged(sandbox, "import random\nrandom.random()\n" + draws, an_exercise(tests, reference=draws)).accepted


def test_support_is_loaded_once_beside_the_file(sandbox: Sandbox) -> None:
    exercise = an_exercise(support="count = []\ndef up(): count.append(1); return len(count)\n")
    source = "from support import up\ndef f(x):\n    print(up())\n    return x\n"
    assert [test.stdout for test in judged(sandbox, source, exercise).tests] == ["1\n", "2\n", "3\n"]


# Dying


def test_after_a_kill_in_the_middle_the_file_is_loaded_anew(sandbox: Sandbox) -> None:
    source = (
        "import os\ncalls = 0\ndef f(x):\n    global calls\n    calls += 1\n    print(calls)\n"
        "    if x == 2: os._exit(0)\n    return x\n"
    )
    report = judged(sandbox, source)
    assert outcomes(report) == ["passed", "runtime_error", "passed"]
    assert [test.stdout for test in report.tests][::2] == ["1\n", "1\n"]


def test_dying_in_every_test_loads_anew_in_each(sandbox: Sandbox) -> None:
    report = judged(sandbox, "import os\nprint('loaded')\ndef f(x): os._exit(0)\n")
    assert outcomes(report) == ["runtime_error"] * 3
    assert [test.stdout for test in report.tests] == ["loaded\n"] * 3


def test_all_loads_share_one_budget_of_time(sandbox: Sandbox) -> None:
    source = f"{SLOW.format(0.5)}import os\ndef f(x): os._exit(0)\n"
    report = judged(sandbox, source, an_exercise(THREE_TESTS + FOURTH, total_cpu_seconds=1.2))
    assert outcomes(report) == ["runtime_error", "runtime_error", "time_limit", "not_run"]
    assert report.tests[2].message.startswith("Your file could not be loaded. Loading it took more than 1.2 s")
    assert "used up the time for that" in report.tests[3].message


FOURTH = "\ndef test_four(solution):\n    close(solution.f(4.0), 4.0)\n"


def test_all_loads_share_one_budget_of_output(sandbox: Sandbox) -> None:
    report = judged(sandbox, "import os\nprint('x' * 6_000)\ndef f(x): os._exit(0)\n")
    assert outcomes(report) == ["runtime_error", "runtime_error", "output_limit"]
    assert report.tests[2].message.startswith("Your file could not be loaded. Your code may print 16 KB")


def test_loading_does_not_count_for_the_tests_nor_its_prints(sandbox: Sandbox) -> None:
    source = f"{SLOW.format(0.6)}print('x' * 15_000)\ndef f(x):\n    print('y' * 5_000)\n    return x\n"
    report = judged(sandbox, source)
    assert report.accepted
    assert sum(test.seconds for test in report.tests) < 0.4


# A file that cannot be loaded has seen no test, and costs no attempt

FAILS = {
    "an error": ("x = 1\ny = x / 0\n", "ZeroDivisionError: division by zero (line 2)"),
    "what is not there": ("import pandas\n", "Only numpy, torch and Python's standard library"),
    "a loop": ("while True: pass\n", "Loading it took more than 1.2 s of processor time"),
    "sleep": ("import time\ntime.sleep(99)\n", "waited for 6 s without finishing"),
    "memory": ("x = bytearray(1 << 30)\n", "may add 64 MB"),
    "prints": ("print('x' * 100_000)\n", "may print 16 KB"),
    "an exit": ("import sys\nsys.exit()\n", "ended the Python process"),
    "the end": ("import os\nos._exit(0)\n", "ended the Python process"),
    "a crash": ("import os\nos.abort()\n", "ended Python itself"),
}


@pytest.mark.parametrize(("source", "told"), FAILS.values(), ids=FAILS)
def test_a_file_that_fails_when_it_is_first_loaded_is_not_judged(sandbox: Sandbox, source: str, told: str) -> None:
    report = judged(sandbox, source + IDENTITY)
    assert report.verdict is Verdict.INVALID_SUBMISSION
    assert report.message.startswith("Your file could not be loaded. ")
    assert told in report.message
    assert outcomes(report) == ["invalid_submission", "not_run", "not_run"]
    assert report.mistakes == ()


def test_what_was_printed_before_is_kept_and_where_it_failed(sandbox: Sandbox) -> None:
    report = judged(sandbox, "print('so far')\ndef g(): return 1 / 0\ng()\n")
    assert report.tests[0].stdout == "so far\n"
    assert report.tests[0].details["traceback"].startswith("solution.py, line 3, in <module>\n    g()")


def test_a_file_that_cannot_be_loaded_again_has_seen_a_test_and_is_judged(sandbox: Sandbox) -> None:
    source = (
        "import os\nagain = os.path.exists('/box/seen')\nopen('/box/seen', 'w').close()\n"
        "if again: raise ValueError('again')\ndef f(x): os._exit(0)\n"
    )
    report = judged(sandbox, source)
    assert report.verdict is Verdict.RUNTIME_ERROR
    assert outcomes(report) == ["runtime_error"] * 3
    assert "Your file could not be loaded. ValueError: again" in report.tests[1].message


def test_a_file_that_has_no_entry_when_it_is_loaded_again_does_not_get_its_attempt_back(sandbox: Sandbox) -> None:
    """Else a learner could look at hidden tests and then take the attempt back."""
    source = (
        "import os\nagain = os.path.exists('/box/seen')\nopen('/box/seen', 'w').close()\n"
        "if not again:\n    def f(x): os._exit(0)\n"
    )
    report = judged(sandbox, source)
    assert report.verdict is Verdict.RUNTIME_ERROR
    assert Outcome.INVALID_SUBMISSION not in {test.outcome for test in report.tests}
