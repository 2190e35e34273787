"""One submission in, one report out: every verdict, every limit, and our faults kept apart from the learner's."""

from __future__ import annotations

import base64
import json
import re
import sys
import time
import zlib
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any, cast

import pytest

from exercises.package import Package, by_slug
from grader import wording
from grader.checker.job import Findings
from grader.judge import judge, worst_wall_seconds
from grader.prints import CUT, ROW_BYTES
from grader.report import Outcome, Report, Seconds, TestReport, Verdict
from grader.sandbox import JobResult, OnReport, PlatformFault, Sandbox
from tests.grader.judging import IDENTITY, an_exercise

SLUGS = ("positional-encoding", "multi-head-attention")
FILES = Path(__file__).parents[1] / "exercises"
SEED = 20_26


@lru_cache
def package(slug: str) -> Package:
    return by_slug(slug)


def each(folder: str) -> pytest.MarkDecorator:
    found = [(path.parent.name, path) for path in sorted((FILES / folder).glob("*/*.py"))]
    return pytest.mark.parametrize("slug, path", found, ids=[f"{slug}-{path.stem}" for slug, path in found])


def outcomes(report: Report) -> list[str]:
    return [test.outcome.value for test in report.tests]


def first_failed(report: Report) -> TestReport:
    return next(test for test in report.tests if test.outcome is not Outcome.PASSED)


def texts_of(value: Any) -> str:
    """Every text in the report, one after the other; fails on what a database's JSON cannot hold."""
    return json.dumps(value, allow_nan=False, ensure_ascii=False)


# An odd number of backslashes before it: an even one is text that looks like it.
PYTHON = "Python {}.{}".format(*sys.version_info)
NUL_IN_JSON = re.compile(r"(?<!\\)(\\\\)*\\u0000")


def assert_storable(report: Report) -> None:
    text = texts_of(report.to_json())
    text.encode()
    assert not NUL_IN_JSON.search(text)
    assert Report.from_json(json.loads(text)) == report


# The two exercises


@each("right")
def test_a_right_solution_is_accepted(sandbox: Sandbox, slug: str, path: Path) -> None:
    report = judge(package(slug), path.read_bytes(), seed=SEED, sandbox=sandbox)
    assert report.verdict is Verdict.ACCEPTED, first_failed(report).message
    assert report.score == report.max_score > 0
    assert report.message == "Every test passed."
    assert report.mistake is None


SOME_WRONG = [(path.parent.name, path) for path in sorted((FILES / "wrong").glob("*/*.py"))[::16]]
"""Of every kind; that all of them fail, tests/programs shows."""


@pytest.mark.parametrize("slug, path", SOME_WRONG, ids=[f"{slug}-{path.stem}" for slug, path in SOME_WRONG])
def test_a_wrong_solution_is_told_which_test_and_why(sandbox: Sandbox, slug: str, path: Path) -> None:
    report = judge(package(slug), path.read_bytes(), seed=SEED, sandbox=sandbox)
    assert report.verdict in (Verdict.WRONG_ANSWER, Verdict.RUNTIME_ERROR)
    assert report.score < report.max_score
    failed = first_failed(report)
    assert f"“{failed.title}”" in report.message
    if report.verdict is Verdict.RUNTIME_ERROR:  # a table that ends too early, say
        if failed.details["line"]:  # else the call itself did not fit
            assert failed.message.endswith(f"(line {failed.details['line']})")
            assert failed.details["traceback"]
        return
    assert failed.message.endswith((".", "?", "!", "`.", "”."))
    assert failed.details["kind"]
    if failed.details["kind"] == "values":
        assert "expected" in failed.message
        assert "got" in failed.message
        assert " at [" in failed.message
    assert_storable(report)


@pytest.mark.parametrize("slug", SLUGS)
def test_reference_is_accepted_and_starter_is_not(sandbox: Sandbox, slug: str) -> None:
    exercise = package(slug)
    assert judge(exercise, exercise.reference, seed=1, sandbox=sandbox).accepted
    assert judge(exercise, exercise.starter, seed=1, sandbox=sandbox).verdict is Verdict.WRONG_ANSWER


@pytest.mark.parametrize("slug", SLUGS)
def test_a_known_mistake_is_named_as_itself(sandbox: Sandbox, slug: str) -> None:
    """The first of every exercise; proofs show it of all, in all their spellings."""
    mistake = package(slug).mistakes[0]
    report = judge(package(slug), mistake.source, seed=SEED, sandbox=sandbox)
    assert not report.accepted
    assert [(one.slug, one.hint, one.whole) for one in report.mistakes] == [(mistake.slug, mistake.hint, True)]


# Verdicts


def test_a_report_says_what_was_judged_how_and_where(sandbox: Sandbox) -> None:
    exercise = an_exercise()
    report = judge(exercise, IDENTITY, seed=5, sandbox=sandbox)
    assert (report.exercise, report.digest, report.seed) == ("small", exercise.digest, 5)
    assert report.sandbox_level == sandbox.level
    assert set(report.versions) == {"python", "numpy", "torch", "cpu"}
    assert 0 < report.seconds.start < report.seconds.total
    assert 0 < report.seconds.run < report.seconds.total
    assert [(test.name, test.title, test.sample, test.points) for test in report.tests] == [
        ("test_one", "The first.", True, 1),
        ("test_two", "The second.", False, 1),
        ("test_three", "The third.", False, 1),
    ]
    assert_storable(report)


def test_the_first_test_that_fails_gives_the_verdict_and_is_named(sandbox: Sandbox) -> None:
    source = "def f(x):\n    if x == 2: raise KeyError('two')\n    return x if x < 3 else None\n"
    report = judge(an_exercise(), source, seed=0, sandbox=sandbox)
    assert outcomes(report) == ["passed", "runtime_error", "wrong_answer"]
    assert report.verdict is Verdict.RUNTIME_ERROR
    assert report.message == "Your code stopped with an error in the test “The second.”."
    assert (report.score, report.max_score) == (1, 3)
    assert report.tests[1].message == "KeyError: 'two' (line 2)"
    assert report.tests[1].details["traceback"].splitlines()[0] == "solution.py, line 2, in f"
    assert "Did you forget `return`?" in report.tests[2].message


def test_points_make_the_score(sandbox: Sandbox) -> None:
    tests = (
        "from exercises.testkit import points\n@points(5)\ndef test_a(solution): assert solution.f(1) == 1\n"
        "@points(0)\ndef test_b(solution): assert solution.f(2) == 2\ndef test_c(solution): assert solution.f(3) == 0\n"
    )
    report = judge(an_exercise(tests), IDENTITY, seed=0, sandbox=sandbox)
    assert (report.score, report.max_score) == (5, 6)


@pytest.mark.parametrize(
    "body, message",
    [
        ("raise ValueError('no')", "ValueError: no (line 2)"),
        ("import sys; sys.exit(0)", "Your code ended the Python process instead of returning a value."),
        ("raise KeyboardInterrupt", "KeyboardInterrupt (line 2)"),
        ("import os; os._exit(0)", "Your code ended the Python process instead of returning a value."),
        ("return f(x)", "RecursionError: maximum recursion depth exceeded (line 2)"),
        ("return g(x)", "NameError: name 'g' is not defined (line 2)"),
        ("import os; os.abort()", "Your code ended Python itself (SIGABRT)."),
        ("import ctypes; ctypes.string_at(8)", "Your code ended Python itself (SIGSEGV)."),
        ("import os; os.write(3, b'GRD1' + bytes(60))", "Your code answered in a way that a return value never does."),
        ("import os; os.write(3, bytes(60))", "Your code answered in a way that a return value never does."),
        ("import os; os.close(3)", "Your code ended the Python process instead of returning a value."),
    ],
)
def test_runtime_errors(sandbox: Sandbox, body: str, message: str) -> None:
    report = judge(an_exercise(), f"def f(x):\n    {body}\n", seed=0, sandbox=sandbox)
    assert report.verdict is Verdict.RUNTIME_ERROR
    assert report.tests[0].message.startswith(message)
    assert outcomes(report) == ["runtime_error"] * 3


def test_recursion_that_ends_python_is_told_as_that(sandbox: Sandbox) -> None:
    source = (
        "import sys\nsys.setrecursionlimit(10**9)\nclass A:\n    def __add__(self, other): return self + other\n"
        "def f(x): return A() + 1\n"
    )
    report = judge(an_exercise(), source, seed=0, sandbox=sandbox)
    assert report.verdict is Verdict.RUNTIME_ERROR
    assert "(SIGSEGV). Very deep recursion can do that." in report.tests[0].message


def test_after_a_crash_the_next_test_has_a_fresh_learner(sandbox: Sandbox) -> None:
    source = "import os\ndef f(x):\n    if x == 1: os._exit(0)\n    return x\n"
    assert outcomes(judge(an_exercise(), source, seed=0, sandbox=sandbox)) == ["runtime_error", "passed", "passed"]


def test_a_call_that_imports_what_is_not_there_is_told_what_is(sandbox: Sandbox) -> None:
    source = "def f(x):\n    import nothing_of_that_name\n"
    report = judge(an_exercise(), source, seed=0, sandbox=sandbox)
    assert report.verdict is Verdict.RUNTIME_ERROR
    told = "ModuleNotFoundError: No module named 'nothing_of_that_name' (line 2). "
    assert report.tests[0].message == told + wording.ONLY_THESE


# Limits


@pytest.mark.parametrize(
    "source",
    [
        "def f(x):\n    while True: pass\n",
        "def f(x):\n    return sum(range(10**12))\n",
        "def f(x):\n    while True:\n        try:\n            while True: pass\n        except BaseException: pass\n",
        "import re\ndef f(x):\n    return re.match('(a+)+b', 'a' * 60)\n",
    ],
    ids=["loop", "in C", "catching everything", "regular expression"],
)
def test_a_loop_is_a_time_limit(sandbox: Sandbox, source: str) -> None:
    started = time.monotonic()
    report = judge(an_exercise(cpu_seconds=0.1, total_cpu_seconds=0.2), source, seed=0, sandbox=sandbox)
    assert report.verdict is Verdict.TIME_LIMIT
    assert report.message == "Your code took too long in the test “The first.”."
    assert report.tests[0].message.startswith("This took more than 0.1 s of processor time.")
    assert report.tests[0].seconds >= 0.1
    assert outcomes(report)[0] == "time_limit"
    assert outcomes(report)[-1] == "not_run"
    assert time.monotonic() - started < 4


def test_time_is_counted_for_each_test_and_for_all(sandbox: Sandbox) -> None:
    source = "import time\ndef f(x):\n    until = time.process_time() + 0.15\n    while time.process_time() < until: pass\n    return x\n"  # noqa: E501 - one program in one line
    report = judge(an_exercise(cpu_seconds=0.25, total_cpu_seconds=0.25), source, seed=0, sandbox=sandbox)
    assert outcomes(report) == ["passed", "time_limit", "not_run"]
    assert report.tests[1].message == "All tests together took more than 0.25 s of processor time."
    assert report.tests[2].message.startswith("Not run:")


def test_several_calls_in_one_test_share_its_time(sandbox: Sandbox) -> None:
    tests = "def test_it(solution):\n    for n in range(20): solution.f(n)\n"
    source = (
        "import time\ndef f(x):\n    until = time.process_time() + 0.05\n    while time.process_time() < until: pass\n"
    )
    report = judge(an_exercise(tests, cpu_seconds=0.2), source, seed=0, sandbox=sandbox)
    assert report.verdict is Verdict.TIME_LIMIT


def test_a_sleeper_is_a_time_limit_and_is_told_that_it_waits(sandbox: Sandbox) -> None:
    source = "import time\ndef f(x):\n    time.sleep(30)\n"
    report = judge(an_exercise(cpu_seconds=0.1, total_cpu_seconds=0.2), source, seed=0, sandbox=sandbox)
    assert outcomes(report) == ["time_limit", "time_limit", "not_run"]
    assert report.tests[0].message.startswith("Your code waited for 0.5 s")
    assert report.seconds.run < 3


def test_short_sleeps_add_up_to_a_time_limit_not_to_our_fault(sandbox: Sandbox) -> None:
    """Each call stays below the backstop; without a budget for waiting, all together would outlast the job."""
    tests = (
        "def test_it(solution):\n    for n in range(100): solution.f(n)\n\ndef test_other(solution): solution.f(1)\n"
    )
    source = "import time\ndef f(x): time.sleep(0.2)\n"
    report = judge(an_exercise(tests, cpu_seconds=0.1, total_cpu_seconds=0.2), source, seed=0, sandbox=sandbox)
    assert outcomes(report) == ["time_limit", "passed"]


def test_a_test_that_computes_much_itself_is_our_fault(sandbox: Sandbox) -> None:
    tests = (
        "import time\n"
        "def test_it(solution):\n"
        "    solution.f(1.0)\n"
        "    until = time.process_time() + 3\n"
        "    while time.process_time() < until: pass\n"
    )
    with pytest.raises(PlatformFault, match="too slow for what the exercise's tests compute"):
        judge(an_exercise(tests), IDENTITY, seed=0, sandbox=sandbox)


def test_asking_for_threads_changes_nothing(sandbox: Sandbox) -> None:
    body = "return float((torch.ones(300, 300) @ torch.ones(300))[0] * x / 300)"
    source = f"import torch\ntorch.set_num_threads(2)\ndef f(x): {body}\n"
    assert judge(an_exercise(), source, seed=0, sandbox=sandbox).verdict is Verdict.ACCEPTED


def test_a_warning_tells_the_learners_line_and_no_place_on_this_machine(sandbox: Sandbox) -> None:
    source = "import warnings\nasync def f(x): return x\nwarnings.warn('mine')\n"
    report = judge(an_exercise(), source, seed=0, sandbox=sandbox)
    assert "solution.py:3: UserWarning: mine" in report.stderr
    assert "RuntimeWarning: coroutine 'f' was never awaited" in report.stderr
    assert "grader" not in report.stderr
    assert "testkit" not in report.stderr


def test_an_address_in_an_error_is_left_out(sandbox: Sandbox) -> None:
    source = "def f(x): raise ValueError(f.__call__)\n"
    reports = [judge(an_exercise(), source, seed=0, sandbox=sandbox) for _ in range(2)]
    assert "of function object at 0x…>" in reports[0].tests[0].message
    assert [test.message for test in reports[0].tests] == [test.message for test in reports[1].tests]


def test_details_beyond_every_measure_are_left_out(sandbox: Sandbox) -> None:
    tests = (
        "from exercises.testkit.failures import Failure\n"
        "def test_it(solution):\n"
        "    solution.f(1.0)\n"
        "    raise Failure.of('nothing', extra={'much': ['x' * 100_000] * 100})\n"
    )
    report = judge(an_exercise(tests), IDENTITY, seed=0, sandbox=sandbox)
    assert report.verdict is Verdict.WRONG_ANSWER
    details = report.tests[0].details
    assert details == {"kind": "nothing", "headline": details["headline"], "much": None}
    assert_storable(report)


def test_the_largest_fields_of_a_report_are_cut_first_and_hidden_ones_before_shown_ones(sandbox: Sandbox) -> None:
    tests = (
        "import numpy as np\nimport pytest\n"
        "from exercises.testkit import close, sample\n"
        "GRID = np.arange(1024.0).reshape(32, 32) / 7\n"
        "def wrong(solution): close(np.full((32, 32), 1 / 3) * solution.f(1.0), GRID)\n"
        "@sample\n@pytest.mark.parametrize('n', range(4))\n"
        "def test_shown(solution, n): wrong(solution)\n"
        "@pytest.mark.parametrize('n', range(40))\n"
        "def test_hidden(solution, n): wrong(solution)\n"
    )
    report = judge(an_exercise(tests), IDENTITY, seed=0, sandbox=sandbox)
    drawn = [bool(test.details["heatmap"]) for test in report.tests]
    assert drawn[:4] == [True] * 4
    assert drawn == sorted(drawn, reverse=True)
    assert 4 < sum(drawn) < 44
    assert all(test.message and test.details["max_abs"] for test in report.tests)
    assert 200 << 10 < len(json.dumps(report.to_json())) <= 256 << 10
    assert_storable(report)


def test_so_many_tests_that_no_report_can_be_cut_to_its_size_are_named_as_our_fault(sandbox: Sandbox) -> None:
    tests = (
        "import pytest\n@pytest.mark.parametrize('n', range(3000))\n"
        "def test_it(solution, n): raise AssertionError('x' * 300)\n"
    )
    with pytest.raises(PlatformFault, match="a report on 3000 tests is larger than 248 KB, however it is cut"):
        judge(an_exercise(tests, total_cpu_seconds=30.0), IDENTITY, seed=0, sandbox=sandbox)


FORGES = """
import os, struct
def test_it(solution):
    def send(kind, data):
        data = struct.pack("<4sB8sQ", b"GRD1", kind, bytes(8), len(data)) + data
        while data:
            try:
                data = data[os.write(3, data) :]
            except BlockingIOError:
                pass
    send({kind}, {data})
    while True: pass
"""
A_TEST = '{"name": "a", "title": "a", "sample": true, "points": %s, "outcome": "passed", "message": "", "seconds": 0, '
A_REPORT = '{"tests": [' + A_TEST + '"details": %s}], "invalid": "", '
A_REPORT += '"mistakes": [], "diagnosing": false, "fault": "", "unconfined": false, "seconds": 0.1}'
A_PROGRESS = '{"test": ' + A_TEST + '"details": %s}, "total": 1}'
SAYS_TOO_MUCH = {
    "nested": (1, '{"a": ' * 40_000 + "1" + "}" * 40_000),
    "nested a little": (1, "[" * 40 + "]" * 40),
    "infinite": (1, '{"a": 1e999}'),
    "named infinite": (1, '{"a": Infinity}'),
    "many digits": (1, '{"a": ' + "1" * 5_000 + "}"),
    "long numbers": (1, '{"a": 18446744073709551616}'),
    "nul": (1, '{"a": "\\u0000"}'),
    "half a character": (1, '{"\\ud800": 1}'),
    "too large": (1, '{"a": "' + "x" * 600_000 + '"}'),
    "too many points": (1 << 40, "{}"),
    "no details": (1, "[]"),
}


def forging(kind: int, form: str, points: int, details: str) -> str:
    """Tests that send the worker such a frame of their own, the long part of it compressed."""
    packed = base64.b64encode(zlib.compress((form % (points, details)).encode())).decode()
    data = f"__import__('zlib').decompress(__import__('base64').b64decode('{packed}'))"
    return FORGES.replace("{kind}", str(kind)).replace("{data}", data)


@pytest.mark.parametrize(("points", "details"), SAYS_TOO_MUCH.values(), ids=[*SAYS_TOO_MUCH])
def test_a_report_that_a_hostile_author_forges_is_named_as_our_fault(
    sandbox: Sandbox, points: int, details: str
) -> None:
    tests = forging(6, A_REPORT, points, details)
    with pytest.raises(PlatformFault, match=r"^The checker's report (cannot be read|is too large) \("):
        judge(an_exercise(tests), IDENTITY, seed=0, sandbox=sandbox)


@pytest.mark.parametrize("name", ["nested", "infinite", "too large", "no details"])
def test_so_is_progress_that_a_hostile_author_forges(sandbox: Sandbox, name: str) -> None:
    tests = forging(5, A_PROGRESS, *SAYS_TOO_MUCH[name])
    with pytest.raises(PlatformFault, match=r"^The checker's report (cannot be read|is too large) \("):
        judge(an_exercise(tests), IDENTITY, seed=0, sandbox=sandbox, on_progress=lambda test, total: None)


def test_a_report_forged_in_the_right_form_is_one(sandbox: Sandbox) -> None:
    report = judge(an_exercise(forging(6, A_REPORT, 1, "{}")), IDENTITY, seed=0, sandbox=sandbox)
    assert [test.name for test in report.tests] == ["a"]


def test_the_backstop_counts_in_the_worst_case() -> None:
    assert worst_wall_seconds(an_exercise(total_cpu_seconds=2.0)) > 5 * 2.0


@pytest.mark.parametrize(
    "body",
    [
        "import numpy as np; return np.ones(1 << 30)",
        "import numpy as np; return [np.ones(1 << 20) for _ in range(100)]",
        "import torch; return torch.ones(1 << 30)",
        "import torch; return torch.ones(1 << 14, 1) * torch.ones(1, 1 << 14)",
        "return [0] * (1 << 30)",
        "return bytes(1 << 30)",
        "return 'x' * (1 << 30)",
        "import numpy as np; return np.zeros((1 << 31, 1 << 31))",
        "import torch; return torch.zeros(1 << 31, 1 << 31)",
        "raise MemoryError",
    ],
)
def test_an_allocation_beyond_the_limit_is_a_memory_limit(sandbox: Sandbox, body: str) -> None:
    report = judge(an_exercise(), f"def f(x):\n    {body}\n", seed=0, sandbox=sandbox)
    assert report.verdict is Verdict.MEMORY_LIMIT
    assert report.tests[0].message.startswith("Your code may add 64 MB; it asked for more.")


def test_a_crash_near_the_limit_is_a_memory_limit(sandbox: Sandbox) -> None:
    source = "import ctypes\ndef f(x):\n    held = b'.' * (245 << 20)\n    ctypes.string_at(8)\n"
    assert judge(an_exercise(memory_mb=256), source, seed=0, sandbox=sandbox).verdict is Verdict.MEMORY_LIMIT


def test_a_crash_with_many_pages_of_a_library_in_memory_is_a_crash(sandbox: Sandbox) -> None:
    source = (
        "import ctypes, mmap, os.path, torch\n"
        "def f(x):\n"
        "    with open(os.path.dirname(torch.__file__) + '/lib/libtorch_cpu.so', 'rb') as file:\n"
        "        library = mmap.mmap(file.fileno(), 100 << 20, mmap.MAP_PRIVATE, mmap.PROT_READ)\n"
        "    sum(library[::4096])\n"
        "    ctypes.string_at(8)\n"
    )
    report = judge(an_exercise(memory_mb=64), source, seed=0, sandbox=sandbox)
    assert report.tests[0].message.startswith("Your code ended Python itself (SIGSEGV).")


def test_growing_without_end_is_a_memory_limit(sandbox: Sandbox) -> None:
    source = "def f(x):\n    grown = [x]\n    while True: grown = grown + grown\n"
    assert judge(an_exercise(), source, seed=0, sandbox=sandbox).verdict is Verdict.MEMORY_LIMIT


def test_memory_within_the_limit_is_free_to_use_again_and_again(sandbox: Sandbox) -> None:
    source = "import numpy as np\ndef f(x):\n    for _ in range(5): y = np.ones(3 << 20)\n    return x * y[0]\n"
    assert judge(an_exercise(cpu_seconds=1.0, total_cpu_seconds=5.0), source, seed=0, sandbox=sandbox).accepted


def test_a_learner_that_copes_with_a_refused_allocation_may(sandbox: Sandbox) -> None:
    source = "import numpy as np\ndef f(x):\n    try: np.ones(1 << 30)\n    except MemoryError: pass\n    return x\n"
    assert judge(an_exercise(), source, seed=0, sandbox=sandbox).accepted


def test_a_learner_that_insists_on_memory_runs_out_of_time(sandbox: Sandbox) -> None:
    source = (
        "def f(x):\n    kept = []\n    while True:\n        try: kept.append(bytes(1 << 20))\n"
        "        except MemoryError: pass\n"
    )
    report = judge(an_exercise(cpu_seconds=0.1, total_cpu_seconds=0.1), source, seed=0, sandbox=sandbox)
    assert report.verdict is Verdict.TIME_LIMIT


def test_a_flood_is_an_output_limit_and_its_beginning_is_kept(sandbox: Sandbox) -> None:
    report = judge(an_exercise(), "def f(x):\n    while True: print('x' * 99)\n", seed=0, sandbox=sandbox)
    assert report.verdict is Verdict.OUTPUT_LIMIT
    assert report.tests[0].message.startswith("Your code may print 16 KB in all; it printed more.")
    assert len(report.tests[0].stdout) == 16 << 10


@pytest.mark.parametrize("size", [(16 << 10) + 1, 1 << 20])
@pytest.mark.parametrize("stream", ["stdout", "stderr"])
def test_too_much_output_is_told_in_the_test_that_printed_it(sandbox: Sandbox, size: int, stream: str) -> None:
    for number in (2, 3):
        source = f"import sys\ndef f(x):\n    if x == {number}: sys.{stream}.write('x' * {size})\n    return x\n"
        for _ in range(3):
            report = judge(an_exercise(), source, seed=0, sandbox=sandbox)
            expected = ["passed"] * 3
            expected[number - 1] = "output_limit"
            assert outcomes(report) == expected


def test_output_up_to_the_limit_is_fine(sandbox: Sandbox) -> None:
    source = f"import sys\ndef f(x):\n    if x == 3: sys.stdout.write('x' * {16 << 10})\n    return x\n"
    report = judge(an_exercise(), source, seed=0, sandbox=sandbox)
    assert report.accepted
    assert report.stdout == "x" * (16 << 10)


@pytest.mark.parametrize(
    "body, told",
    [
        ("return bytes(2 << 20)", "What your code returned is larger than the 1 MB"),
        ("import numpy as np; return np.broadcast_to(np.ones(1), (1 << 40,))", "What your code returned is larger"),
        ("return [0] * 200_000", "What your code returned holds more than 100,000 values."),
        ("import os; os.write(3, b'GRD1\\x03' + bytes(8) + b'\\xff' * 8)", "What your code returned is larger"),
    ],
)
def test_a_reply_beyond_the_cap_is_an_output_limit(sandbox: Sandbox, body: str, told: str) -> None:
    report = judge(an_exercise(), f"def f(x):\n    {body}\n", seed=0, sandbox=sandbox)
    assert report.verdict is Verdict.OUTPUT_LIMIT
    assert report.tests[0].message.startswith(told)


# Prints


def test_prints_belong_to_the_test_in_which_they_were_made(sandbox: Sandbox) -> None:
    source = (
        "import sys, warnings\nprint('loaded')\ndef f(x):\n    print('got', x)\n    print('oh', x, file=sys.stderr)\n"
        "    return x\n"
    )
    report = judge(an_exercise(), source, seed=0, sandbox=sandbox)
    assert [test.stdout for test in report.tests] == ["loaded\ngot 1.0\n", "got 2.0\n", "got 3.0\n"]
    assert [test.stderr for test in report.tests] == [f"oh {n}.0\n" for n in (1, 2, 3)]
    assert report.stdout == "loaded\ngot 1.0\ngot 2.0\ngot 3.0\n"
    assert report.stderr == "oh 1.0\noh 2.0\noh 3.0\n"


def test_prints_before_an_error_and_before_a_crash_are_kept(sandbox: Sandbox) -> None:
    source = "import os\ndef f(x):\n    print('here')\n    if x == 2: os._exit(1)\n    raise ValueError\n"
    report = judge(an_exercise(), source, seed=0, sandbox=sandbox)
    assert [test.stdout for test in report.tests] == ["here\n"] * 3


def test_bytes_that_are_no_text_are_shown_as_text(sandbox: Sandbox) -> None:
    source = "import os\ndef f(x):\n    os.write(1, b'a\\xff\\x00b\\n')\n    return x\n"
    report = judge(an_exercise(), source, seed=0, sandbox=sandbox)
    assert report.tests[0].stdout == "a\N{REPLACEMENT CHARACTER}\\x00b\n"
    assert_storable(report)


def test_many_tests_that_print_much_are_no_fault(sandbox: Sandbox) -> None:
    tests = (
        "import pytest\n@pytest.mark.parametrize('n', list(range(200)))\n"
        "def test_n(solution, n): assert solution.f(n) == n\n"
    )
    source = "import sys\ndef f(x):\n    print('y' * 9999)\n    print('oh', file=sys.stderr)\n    return x\n"
    report = judge(an_exercise(tests, output_kb=4000, total_cpu_seconds=20.0), source, seed=0, sandbox=sandbox)
    assert report.accepted
    assert len(report.stdout) > 200 * 1_000
    assert len(texts_of(report.to_json())) <= ROW_BYTES
    assert all(test.stdout.endswith(CUT) for test in report.tests)
    assert {test.stderr for test in report.tests} == {"oh\n"}


def test_closing_or_replacing_the_streams_harms_nobody(sandbox: Sandbox) -> None:
    source = "import sys\nsys.stdout.close()\nsys.stderr = None\nsys.stdout = 3\ndef f(x): return x\n"
    assert judge(an_exercise(), source, seed=0, sandbox=sandbox).accepted


# Equal in, equal out


def without_times(report: Report) -> Report:
    tests = tuple(replace(test, seconds=0.0) for test in report.tests)
    return replace(report, tests=tests, seconds=Seconds(0.0, 0.0, 0.0))


def test_equal_seeds_give_equal_reports_even_in_another_sandbox(sandbox: Sandbox) -> None:
    path = FILES / "wrong" / "positional-encoding" / "random_noise_added.py"
    source = (
        path.read_text().replace("np.random.default_rng()", "np.random")
        + "\nimport random, torch\nprint(random.random(), torch.rand(3), hash('x'))\n"
    )
    exercise = package("positional-encoding")
    first = judge(exercise, source, seed=7, sandbox=sandbox)
    with Sandbox() as other:
        second = judge(exercise, source, seed=7, sandbox=other)
    assert without_times(first) == without_times(second)
    assert without_times(first) != without_times(judge(exercise, source, seed=8, sandbox=sandbox))


def test_a_sample_run_agrees_with_the_submission(sandbox: Sandbox) -> None:
    source = (FILES / "wrong" / "positional-encoding" / "random_noise_added.py").read_text()
    source = source.replace("np.random.default_rng()", "np.random")  # the seeded one
    exercise = package("positional-encoding")
    sample, whole = (judge(exercise, source, seed=3, sandbox=sandbox, sample_only=only) for only in (True, False))
    assert sample.tests
    assert all(test.sample for test in sample.tests)
    by_name = {test.name: replace(test, seconds=0.0) for test in whole.tests}
    assert [replace(test, seconds=0.0) for test in sample.tests] == [by_name[test.name] for test in sample.tests]
    assert len(sample.tests) < len(whole.tests)


def test_progress_is_told_test_by_test(sandbox: Sandbox) -> None:
    told: list[tuple[TestReport, int]] = []
    report = judge(
        an_exercise(), IDENTITY, seed=0, sandbox=sandbox, on_progress=lambda test, total: told.append((test, total))
    )
    assert [test for test, _ in told] == list(report.tests)
    assert {total for _, total in told} == {3}


# What cannot be a submission


@pytest.mark.parametrize(
    "source, message",
    [
        (b"", "The submission is empty."),
        (b" \n\t\n", "The submission is empty."),
        (b"def f(x): return 1\x00\n", "The file contains NUL bytes"),
        (b"\xff\xfe\x00d", "The file contains NUL bytes"),
        ("def f(x): return '\xe9'\n".encode("latin-1"), "The file is not UTF-8 text."),
        (b"x = 1\n" * 400_000, "The file is larger than 256 KB."),
        ("def f(x): return '\udce9'\n", "The file is not UTF-8 text."),
    ],
)
def test_what_is_no_text_is_told_so_beside_all_that_could_be_earned(
    sandbox: Sandbox, source: bytes | str, message: str
) -> None:
    report = judge(an_exercise(), source, seed=0, sandbox=sandbox)
    assert report.verdict is Verdict.INVALID_SUBMISSION
    assert report.message.startswith(message)
    assert outcomes(report) == ["invalid_submission", "not_run", "not_run"]
    assert (report.score, report.max_score) == (0, 3)
    assert report.tests[0].message == report.message
    assert_storable(report)


@pytest.mark.parametrize(
    "source, message",
    [
        ("def f(x:\n", f"{PYTHON} cannot read line 1: '(' was never closed."),
        ("def f(x):\n    return 1 +\n", f"{PYTHON} cannot read line 2: invalid syntax."),
        ("def F(x): return x\n", "Your code does not define the function `f`. Name it exactly so: `f(x)`."),
        ("f = 3\n", "Your code does not define the function `f`."),
        ("y = " + "-" * 50_000 + "1\n", "Your code is nested too deeply for Python to read."),
        ("import torch\n\ndef f(x): return torch.abs(x)\n", "Line 3 uses `torch.abs`, which this exercise asks you"),
    ],
)
def test_what_cannot_be_used_is_an_invalid_submission(sandbox: Sandbox, source: str, message: str) -> None:
    report = judge(an_exercise(forbidden=("torch.abs",)), source, seed=0, sandbox=sandbox)
    assert report.verdict is Verdict.INVALID_SUBMISSION
    assert report.message.startswith(message)
    assert outcomes(report) == ["invalid_submission", "not_run", "not_run"]
    assert report.score == 0


def test_a_missing_class_is_named_as_one(sandbox: Sandbox) -> None:
    exercise = an_exercise(kind="class", reference="class f:\n    def __init__(self, x): ...\n")
    report = judge(exercise, IDENTITY, seed=0, sandbox=sandbox)
    assert report.message == "Your code does not define the class `f`. Name it exactly so: `f(x)`."


def test_a_forbidden_call_found_only_while_it_runs_is_told(sandbox: Sandbox) -> None:
    source = "import torch\ndef f(x): return getattr(torch, chr(97) + 'bs')(torch.tensor(x)).item()\n"
    report = judge(an_exercise(forbidden=("torch.abs",)), source, seed=0, sandbox=sandbox)
    assert report.verdict is Verdict.RUNTIME_ERROR
    assert "this exercise asks you to write torch.abs yourself" in report.tests[0].message


def test_windows_line_ends_and_a_byte_order_mark_are_fine(sandbox: Sandbox) -> None:
    source = b"\xef\xbb\xbfdef f(x):\r\n    return x\r\n"
    assert judge(an_exercise(), source, seed=0, sandbox=sandbox).accepted


def test_lines_of_code_are_those_that_python_counts(sandbox: Sandbox) -> None:
    source = "a = 'one\x0cpage\u2028line'\ndef f(x):\n    raise ValueError(x)\n"
    report = judge(an_exercise(), source, seed=0, sandbox=sandbox)
    assert report.tests[0].details["traceback"] == "solution.py, line 3, in f\n    raise ValueError(x)"


# Learners that tell tales


@pytest.mark.parametrize(
    "source",
    [
        "class E(Exception): ...\nE.__name__ = 'E\\x00'\ndef f(x): raise E('\\x00\\ud800')\n",
        "def f(x): return type('\\x00', (), {})()\n",
        "def f(x): return {'\\x00\\ud800': float('nan')}\n",
        "def f(x): return '\\x00\\ud800'\n",
        r"def f(x): raise ValueError('\u0000')" + "\n",
        r"def f(x): return r'\u0000 \ud800 \x00'" + "\n",
        "def f(x): return float('nan')\n",
        "def f(x): return float('inf')\n",
        "def f(x): return 10 ** 1000\n",
        "def f(x): return {'\\x00'}\n",
        "print('\\x00')\ndef f(x): return x\n",
    ],
)
def test_whatever_a_learner_says_a_report_can_be_stored(sandbox: Sandbox, source: str) -> None:
    assert_storable(judge(an_exercise(), source, seed=0, sandbox=sandbox))


def test_names_of_parameters_are_told_in_a_form_that_can_be_stored(sandbox: Sandbox) -> None:
    reference = package("multi-head-attention").reference
    source = reference + (
        "\n_init = MultiHeadAttention.__init__\ndef _mine(self, *args):\n    _init(self, *args)\n"
        "    self.register_parameter('\\x00\\ud800', nn.Parameter(torch.ones(1)))\nMultiHeadAttention.__init__ = _mine\n"  # noqa: E501 - one program in one line
    )
    report = judge(package("multi-head-attention"), source, seed=0, sandbox=sandbox)
    assert report.verdict is Verdict.WRONG_ANSWER
    assert_storable(report)


# Our faults


@pytest.mark.parametrize(
    "tests, told",
    [
        ("def test_it(solution):\n    1 / 0\n", "test_it raised ZeroDivisionError"),
        ("def test_it(solution, reference):\n    reference.nothing(1)\n", "the reference failed: AttributeError"),
        ("import nothing_there\ndef test_it(solution): ...\n", "tests.py cannot be imported: it raised ModuleNotFound"),
        ("def test_it(solution, tmp_path): ...\n", "asks for “tmp_path”"),
        ("import pytest\n@pytest.fixture\ndef g(): ...\ndef test_it(g): ...\n", "tests cannot be used"),
        ("raise SystemExit\ndef test_it(solution): ...\n", "without a report"),
        ("import os\ndef test_it(solution): os._exit(0)\n", "without a report"),
        ("def test_it(solution): raise KeyboardInterrupt\n", "without a report"),
        ("def test_it(solution):\n    solution.f({1})\n", "test_it raised Unsupported"),
    ],
)
def test_what_the_author_did_wrong_is_never_a_verdict(sandbox: Sandbox, tests: str, told: str) -> None:
    with pytest.raises(PlatformFault) as caught:
        judge(an_exercise(tests), IDENTITY, seed=0, sandbox=sandbox)
    assert told in str(caught.value)


@pytest.mark.parametrize(
    "reference", ["def f(x): raise ValueError('mine')\n", "raise ValueError('mine')\ndef f(x): ...\n"]
)
def test_a_reference_that_raises_is_our_fault(sandbox: Sandbox, reference: str) -> None:
    tests = "def test_it(solution, reference):\n    assert solution.f(1) == reference.f(1)\n"
    with pytest.raises(PlatformFault, match="the reference failed: ValueError: mine"):
        judge(an_exercise(tests, reference=reference), IDENTITY, seed=0, sandbox=sandbox)


def test_a_test_that_stumbles_over_an_answer_is_a_wrong_answer(sandbox: Sandbox) -> None:
    tests = "def test_it(solution):\n    assert solution.f(1)['key'] == 1\n"
    report = judge(an_exercise(tests), IDENTITY, seed=0, sandbox=sandbox)
    assert report.verdict is Verdict.WRONG_ANSWER
    assert report.tests[0].message.startswith("The test could not use what your code returned (TypeError).")


NEEDS_A_NUMBER = "def f(x):\n    if x != 3: raise ValueError('not mine')\n    return x\n"
CHAINED = "def test_it(solution, reference):\n    assert reference.f(solution.f(3)) == 3\n"


@pytest.mark.parametrize("answer", ["'three'", "None", "x + 1", "[[]]"])
def test_a_reference_that_raises_on_what_the_learner_answered_is_the_learners_wrong_answer(
    sandbox: Sandbox, answer: str
) -> None:
    exercise = an_exercise(CHAINED, reference=NEEDS_A_NUMBER)
    report = judge(exercise, f"def f(x): return {answer}\n", seed=0, sandbox=sandbox)
    assert report.verdict is Verdict.WRONG_ANSWER
    assert "could not use what your code returned (ValueError)" in report.tests[0].message
    assert judge(exercise, NEEDS_A_NUMBER, seed=0, sandbox=sandbox).accepted


def test_a_reference_that_raises_whatever_is_answered_stays_our_fault(sandbox: Sandbox) -> None:
    tests = "def test_it(solution, reference):\n    solution.f(3)\n    reference.f(4)\n"
    with pytest.raises(PlatformFault, match="the reference failed: ValueError: not mine"):
        judge(an_exercise(tests, reference=NEEDS_A_NUMBER), IDENTITY, seed=0, sandbox=sandbox)


def test_a_support_module_serves_learner_and_reference(sandbox: Sandbox) -> None:
    tests = "def test_it(solution, reference):\n    assert solution.f(1) == reference.f(1) == 3\n"
    source = "from support import add\ndef f(x): return add(x, 2)\n"
    exercise = an_exercise(tests, reference=source, support="def add(a, b): return a + b\n")
    assert judge(exercise, source, seed=0, sandbox=sandbox).accepted


def test_two_mistakes_that_answer_alike_name_neither(sandbox: Sandbox) -> None:
    negative = "'''You {}.\n\nDo not.'''\ndef f(x): return -x\n"
    one = an_exercise(mistakes={"negate": negative.format("negate")})
    two = an_exercise(mistakes={"negate": negative.format("negate"), "subtract": negative.format("subtract")})
    source = "def f(x): return 0 - x\n"
    named = judge(one, source, seed=0, sandbox=sandbox).mistake
    assert named is not None
    assert (named.slug, named.hint) == ("negate", "You negate.\n\nDo not.")
    assert judge(two, source, seed=0, sandbox=sandbox).mistake is None


def test_a_mistake_that_never_ends_changes_no_verdict(sandbox: Sandbox) -> None:
    endless = "'''You wait.\n\nDo not.'''\ndef f(x):\n    while True: pass\n"
    report = judge(an_exercise(mistakes={"endless": endless}), "def f(x): return -x\n", seed=0, sandbox=sandbox)
    assert (report.verdict, report.mistake) == (Verdict.WRONG_ANSWER, None)


# What the checker might report, if it were broken


class _Canned:
    """In place of a sandbox: answers every job with one report."""

    level = "A"
    versions: dict[str, str] = {}

    def __init__(self, report: bytes) -> None:
        self.report = report

    def run(self, *_: object, report_cap: int, on_report: OnReport) -> JobResult:
        on_report(result := JobResult(self.report, {}, 0.0))
        return result


def judged_by(report: bytes) -> Report:
    return judge(an_exercise(), IDENTITY, seed=0, sandbox=cast("Sandbox", _Canned(report)))


def a_test(outcome: str) -> dict[str, Any]:
    common = {"sample": False, "points": 1, "message": "", "seconds": 0.0, "details": {}}
    return {"name": "test_it", "title": "It.", "outcome": outcome, **common}


@pytest.mark.parametrize(
    "report",
    [
        b"",
        b"null",
        b"[]",
        b"{}",
        b"\xff",
        b'{"tests": []}',
        Findings(tests=[]).encode(),
        Findings(tests=[a_test("passed")]).encode().replace(b'"title"', b'"called"'),
        Findings(tests=[a_test("excellent")]).encode(),
        Findings(tests=[{**a_test("passed"), "points": "1"}]).encode(),
        Findings(tests=[a_test("passed")], fault="the checker's own").encode(),
    ],
)
def test_a_report_that_is_none_is_our_fault(report: bytes) -> None:
    with pytest.raises(PlatformFault):
        judged_by(report)


def test_time_that_runs_out_between_two_tests_is_a_time_limit() -> None:
    report = judged_by(Findings(tests=[a_test("passed"), a_test("not_run")]).encode())
    assert report.verdict is Verdict.TIME_LIMIT
    assert report.score == 1


def test_the_mistake_has_room_in_the_row_beside_what_was_printed(sandbox: Sandbox) -> None:
    source = "def f(x):\n    print('x' * 1_000_000)\n    return -x\n"
    hint = "é" * 3_900
    mistakes = {"negate": f"'''{hint}\n\n{hint}'''\ndef f(x): return -x\n"}
    report = judge(an_exercise(mistakes=mistakes, output_kb=4096), source, seed=0, sandbox=sandbox)
    assert report.mistake is not None
    assert report.mistake.fix == hint
    size = len(json.dumps(report.to_json()))
    assert ROW_BYTES - 200_000 < size <= ROW_BYTES
