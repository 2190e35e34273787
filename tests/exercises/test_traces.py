"""A learner's exception shows the learner's own lines, and nothing of the engine or of libraries."""

from __future__ import annotations

import pytest

from exercises.testkit.solution import LearnerError, Solution
from exercises.testkit.traces import MAX_FRAMES
from exercises.visible import clean


def error_of(source: str, support: str | None = None) -> LearnerError:
    with pytest.raises(LearnerError) as caught:
        Solution.local(source, support=support).f()
    return caught.value


def test_frames_are_the_learners_own_with_their_code() -> None:
    error = error_of("def inner(x):\n    return 1 / x\n\ndef f():\n    return inner(0)  # here\n")
    assert error.type_name == "ZeroDivisionError"
    assert error.message == "division by zero"
    assert error.line == 2
    assert error.traceback_text.splitlines() == [
        "solution.py, line 5, in f",
        "    return inner(0)  # here",
        "solution.py, line 2, in inner",
        "    return 1 / x",
    ]
    assert str(error) == "ZeroDivisionError: division by zero"


def test_frames_of_libraries_are_left_out_and_the_line_is_the_callers() -> None:
    error = error_of("import numpy as np\ndef f():\n    return np.linalg.inv(np.zeros((2, 2)))\n")
    assert (error.type_name, error.line) == ("LinAlgError", 3)
    assert error.traceback_text.count("line") == 1


def test_a_frame_in_the_support_module_is_shown_and_the_line_stays_the_learners() -> None:
    error = error_of(
        "import support\ndef f():\n    support.fail()\n", support="\n\ndef fail(): raise ValueError('x')\n"
    )
    assert error.line == 3
    assert error.traceback_text.splitlines()[-1].startswith("support.py, line 3")


def test_deep_recursion_is_cut_in_its_middle() -> None:
    error = error_of("def f(n=0):\n    return f(n + 1)\n")
    assert error.traceback_text.count("solution.py") == MAX_FRAMES


def test_an_error_that_only_the_call_made_has_no_line() -> None:
    error = error_of("def f(x): return x\n")
    assert (error.type_name, error.line, error.traceback_text) == ("TypeError", 0, "")


def test_no_path_of_this_machine_is_told() -> None:
    error = error_of("import json\ndef f(): json.loads('{')\n")
    assert "/" not in error.traceback_text
    assert "testkit" not in error.traceback_text


def test_lines_are_those_of_the_source_loaded_last() -> None:
    solution = Solution.local("def f(): raise ValueError('first')\n")
    solution.load_source("def f(): raise ValueError('second')\n", seed=0)
    with pytest.raises(LearnerError) as caught:
        solution.f()
    assert "second" in caught.value.traceback_text


def test_long_texts_are_cut() -> None:
    error = error_of("def f(): raise ValueError('x' * 10_000)\n")
    assert len(error.message) == 2000
    assert error.message.endswith("…")


@pytest.mark.parametrize(
    "text, told", [("plain", "plain"), ("a\x00b", r"a\x00b"), ("a\ud800b", r"a\ud800b"), ("🦜", "🦜")]
)
def test_what_no_database_can_hold_is_shown_as_an_escape(text: str, told: str) -> None:
    assert clean(text, 100) == told
