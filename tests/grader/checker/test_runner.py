"""What tests exhibit, judged for real: kept of sample tests, made after the verdict, and never able to change it."""

from __future__ import annotations

import json

import pytest

from grader.judge import judge
from grader.report import Outcome, Report, TestReport, Verdict
from grader.sandbox import Sandbox
from tests.grader.judging import IDENTITY, an_exercise

TESTS = '''
import numpy as np
from exercises.testkit import close, exhibit, sample

def show(solution, support):
    exhibit("Numbers", lambda: support.grid(solution.f(2.0)), rows=["first"], columns=["left", "right"], caption="C")

@sample
def test_shown(solution, support):
    """Shown."""
    show(solution, support)
    close(solution.f(1.0), 1.0)

def test_hidden(solution, support):
    """Hidden."""
    show(solution, support)
    close(solution.f(3.0), 3.0)
'''
SUPPORT = "import numpy as np\ndef grid(x): return np.array([[x, 2 * x]])\n"
EXERCISE = an_exercise(TESTS, support=SUPPORT)


def judged(sandbox: Sandbox, source: str, tests: str = TESTS) -> Report:
    return judge(an_exercise(tests, support=SUPPORT), source, seed=0, sandbox=sandbox)


def grids(test: TestReport) -> list[list[list[float]] | None]:
    return [one["grid"] for one in test.details.get("exhibits", [])]


def test_a_sample_test_shows_what_the_learners_code_computed(sandbox: Sandbox) -> None:
    report = judged(sandbox, IDENTITY)
    assert report.accepted
    assert grids(report.tests[0]) == [[[2.0, 4.0]]]
    assert report.tests[0].details["exhibit_problems"] == []


def test_a_failing_test_shows_it_too_if_it_got_so_far(sandbox: Sandbox) -> None:
    report = judged(sandbox, "def f(x): return x + 1\n")
    assert report.tests[0].outcome is Outcome.WRONG_ANSWER
    assert report.tests[0].details["kind"] == "value"
    assert grids(report.tests[0]) == [[[3.0, 6.0]]]
    late = TESTS.replace(
        "    show(solution, support)\n    close(solution.f(1.0), 1.0)",
        "    close(solution.f(1.0), 1.0)\n    show(solution, support)",
    )
    assert grids(judged(sandbox, "def f(x): return x + 1\n", late).tests[0]) == []


def test_what_a_hidden_test_exhibits_stays_hidden_and_its_author_is_told(sandbox: Sandbox) -> None:
    hidden = judged(sandbox, IDENTITY).tests[1]
    assert "exhibits" not in hidden.details
    assert "Mark it @sample." in hidden.details["exhibit_problems"][0]


def test_progress_comes_without_exhibits(sandbox: Sandbox) -> None:
    steps: list[TestReport] = []
    judge(EXERCISE, IDENTITY, seed=0, sandbox=sandbox, on_progress=lambda test, total: steps.append(test))
    assert [step.outcome for step in steps] == [Outcome.PASSED, Outcome.PASSED]
    assert not any(grids(step) for step in steps)


ONLY_ASKED_TO_SHOW = "def f(x):\n    if x == 2.0:\n        {}\n    return x\n"


@pytest.mark.parametrize(
    "act",
    [
        "raise ValueError",
        "raise SystemExit",
        "raise MemoryError",
        "import os; os._exit(0)",
        "import os; os.abort()",
        "import os; os.write(3, bytes(60))",
        "while True: pass",
        "import time; time.sleep(60)",
        "print('x' * 10_000_000)",
        "return {1}",
        "return [0] * 1_000_000",
        "return b'x' * 100_000_000",
        "return float('nan')",
        "return 10 ** 5000",
        "return 'text'",
        "import support; support.grid = lambda x: [1]",
        "import support; del support.grid",
        "import support, torch; support.grid = lambda x: torch.nn.Linear(1, 1)",
    ],
)
def test_whatever_happens_while_it_is_made_changes_no_verdict(sandbox: Sandbox, act: str) -> None:
    report = judged(sandbox, ONLY_ASKED_TO_SHOW.format(act))
    assert report.verdict is Verdict.ACCEPTED
    assert report.score == report.max_score == 2
    assert grids(report.tests[0]) in ([None], [[[None, None]]])
    assert report.tests[0].stdout == report.tests[1].stdout == ""
    text = json.dumps(report.to_json(), allow_nan=False)
    assert Report.from_json(json.loads(text)) == report


def test_time_spent_on_showing_is_not_the_tests(sandbox: Sandbox) -> None:
    slow = "import time\nuntil = time.process_time() + 0.3\nwhile time.process_time() < until: pass"
    source = ONLY_ASKED_TO_SHOW.format(slow.replace("\n", "\n        "))
    report = judged(sandbox, source)
    assert report.accepted
    assert grids(report.tests[0]) == [[[2.0, 4.0]]]
    assert sum(test.seconds for test in report.tests) < 0.3


def test_what_one_exhibit_does_hinders_no_other(sandbox: Sandbox) -> None:
    twice = TESTS.replace('''    close(solution.f(1.0), 1.0)
''', '''    close(solution.f(1.0), 1.0)

@sample
def test_other(solution, support):
    """Other."""
    exhibit("Other", lambda: support.grid(solution.f(5.0)), rows=["r"], columns=["a", "b"], caption="C")
''')  # fmt: skip
    report = judged(sandbox, ONLY_ASKED_TO_SHOW.format("import os; os._exit(0)"), twice)
    assert [grids(test) for test in report.tests] == [[None], [[[5.0, 10.0]]], []]


def test_an_authors_slip_fails_nobody(sandbox: Sandbox) -> None:
    report = judged(sandbox, IDENTITY, TESTS.replace('caption="C"', 'caption=""'))
    assert report.accepted
    assert grids(report.tests[0]) == []
    assert report.tests[0].details["exhibit_problems"] == [
        "The caption of an exhibit must be a text of 1 to 400 characters."
    ]


def test_a_submission_that_cannot_be_used_shows_nothing(sandbox: Sandbox) -> None:
    report = judged(sandbox, "def g(x): return x\n")
    assert report.verdict is Verdict.INVALID_SUBMISSION
    assert not any(grids(test) for test in report.tests)


HELD = '''
import builtins
from exercises.testkit import close, sample

builtins.held = 0

class Held:
    """What a test holds while it runs, so much of which makes the reference run out of memory."""

    def __init__(self, size):
        self.size = size
        builtins.held += size

    def __del__(self):
        builtins.held -= self.size

@sample
def test_held(solution, reference):
    """Held."""
    answer = Held(solution.f(1))
    close(answer.size, reference.f(1))
'''
SHORT_OF_MEMORY = "import builtins\ndef f(x):\n    if builtins.held > 10: raise MemoryError\n    return x\n"


def test_an_answer_that_leaves_the_reference_no_memory_is_too_large(sandbox: Sandbox) -> None:
    """The reference is asked again in its place, and must not find the checker still full of what was answered."""
    exercise = an_exercise(HELD, reference=SHORT_OF_MEMORY)
    assert judge(exercise, IDENTITY, seed=0, sandbox=sandbox).accepted
    report = judge(exercise, "def f(x): return 11\n", seed=0, sandbox=sandbox)
    assert report.verdict is Verdict.OUTPUT_LIMIT
