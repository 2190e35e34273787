"""The learner's side: a fresh module per load, everything answered, nothing raised, no state of ours carried over."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import pytest
import torch

from exercises.testkit import values
from exercises.testkit.failures import Failure
from exercises.testkit.solution import InvalidSource, LearnerError, Solution, support_of
from exercises.testkit.state import USUAL
from exercises.testkit.workbench import Workbench


def load(source: str, **options: Any) -> Solution:
    return Solution.local(source, **options)


def why_invalid(source: str, **options: Any) -> dict[str, Any]:
    with pytest.raises(InvalidSource) as caught:
        load(source, **options)
    return caught.value.facts


def error_of(source: str, name: str = "f") -> LearnerError:
    with pytest.raises(LearnerError) as caught:
        getattr(load(source), name)()
    return caught.value


# Loading


def test_each_load_is_a_fresh_module() -> None:
    source = "seen = []\ndef see(x): seen.append(x); return seen\n"
    solution = load(source)
    assert [solution.see(1), solution.see(2)] == [[1], [1, 2]]
    solution.load_source(source, seed=0)
    assert solution.see(3) == [3]


def test_another_source_replaces_the_first() -> None:
    solution = load("def f(): return 1\n")
    solution.load_source("def f(): return 2\n", seed=0)
    assert solution.f() == 2


def test_a_module_knows_its_name_and_runs_no_main() -> None:
    source = "import sys\nme = sys.modules[__name__]\nif __name__ == '__main__': raise SystemExit\n"
    solution = load(source + "def f(): return [__name__, __file__, me.f is f]\n")
    assert solution.f() == ["solution", "solution.py", True]


def test_what_the_engine_imports_from_the_future_is_not_the_learners() -> None:
    assert load("def f(x: 1 + 1): return f.__annotations__\n").f(0) == {"x": 2}


def test_classes_that_need_their_module_work() -> None:
    source = (
        "from dataclasses import dataclass, field\nfrom typing import NamedTuple\nimport enum\n"
        "@dataclass\nclass Point:\n    x: int\n    tags: list = field(default_factory=list)\n"
        "class Pair(NamedTuple):\n    a: int\n"
        "class Colour(enum.Enum):\n    RED = 1\n"
        "def f(): return [Point(3).x, Pair(4), Colour(1).value]\n"
    )
    assert load(source).f() == [3, (4,), 1]


def test_random_state_starts_from_the_seed() -> None:
    source = (
        "import random, numpy, torch\n"
        "drawn = [random.random(), numpy.random.rand(), torch.rand(()).item()]\n"
        "def f(): return drawn\n"
    )
    first, again, other = (load(source, seed=seed).f() for seed in (3, 3, 2**62 - 1))
    assert first == again
    assert not set(first) & set(other)


def test_numeric_modes_are_put_back() -> None:
    try:
        load(
            "import numpy, torch\ntorch.set_default_dtype(torch.float64)\ntorch.set_grad_enabled(False)\n"
            "numpy.seterr(all='raise')\n"
        )
        solution = load("import torch\ndef f(): return [str(torch.ones(1).dtype), torch.is_grad_enabled()]\n")
        assert solution.f() == ["torch.float32", True]
        assert np.geterr() == {"divide": "warn", "over": "warn", "under": "ignore", "invalid": "warn"}
    finally:
        USUAL.restore()


# Beginning a test


def test_a_module_keeps_what_it_keeps_from_test_to_test() -> None:
    solution = load("count = []\ndef f(): count.append(1); return len(count)\n")
    assert solution.f() == 1
    solution.begin(0)
    assert solution.f() == 2


def test_every_test_begins_with_the_modes_that_loading_left() -> None:
    source = (
        "import numpy, torch\n"
        "torch.set_default_dtype(torch.float64)\ntorch.set_grad_enabled(False)\nnumpy.seterr(all='raise')\n"
        "def f(): return [str(torch.ones(1).dtype), torch.is_grad_enabled(), numpy.geterr()['over']]\n"
        "def spoil():\n"
        "    torch.set_default_dtype(torch.float32); torch.set_grad_enabled(True); numpy.seterr(all='ignore')\n"
    )
    try:
        solution = load(source)
        solution.spoil()
        assert solution.f() == ["torch.float32", True, "ignore"]
        solution.begin(0)
        assert solution.f() == ["torch.float64", False, "raise"]
    finally:
        USUAL.restore()


def test_every_test_begins_with_its_own_random_numbers_whatever_was_seeded_before() -> None:
    source = (
        "import random, numpy, torch\nrandom.seed(1), numpy.random.seed(1), torch.manual_seed(1)\n"
        "def f(): return [random.random(), numpy.random.rand(), torch.rand(()).item()]\n"
    )
    solution = load(source)

    def drawn(seed: int) -> Any:
        solution.begin(seed)
        return solution.f()

    assert drawn(3) == drawn(3)
    assert not set(drawn(3)) & set(drawn(4))


def test_a_seeded_call_keeps_the_modes_of_the_file() -> None:
    try:
        solution = load(
            "import torch\ntorch.set_default_dtype(torch.float64)\ndef f(): return str(torch.rand(1).dtype)\n"
        )
        assert solution.f.seeded(3) == "torch.float64"
    finally:
        USUAL.restore()


def test_what_one_test_holds_another_cannot_reach() -> None:
    solution = load("class Box:\n    def __init__(self, x): self.x = x\n    def open(self): return self.x\n")
    old = solution.Box(1)
    solution.begin(0)
    with pytest.raises(LearnerError):
        old.open()
    assert solution.Box(2).open() == 2


def test_a_support_module_is_there_in_every_test() -> None:
    solution = load("", support="class Thing: ...\ndef three(): return 3\n")
    solution.begin(0)
    assert support_of(solution).three() == 3


def test_each_test_finds_its_own_module_where_several_share_a_process() -> None:
    source = "from dataclasses import dataclass\ndef f():\n    import solution\n    return solution.me\n"
    one, other = load(f"me = 1\n{source}"), load(f"me = 2\n{source}")
    one.begin(0)
    assert one.f() == 1
    other.begin(0)
    assert other.f() == 2


def test_a_support_module_is_beside_the_learners() -> None:
    source = "import support\nfrom support import Thing\ndef f(): return [support.three(), Thing()]\n"
    solution = load(
        source + "def g(): return Thing()\n",
        support="class Thing:\n    def double(self, x): return 2 * x\ndef three(): return 3\n",
    )
    assert solution.g().double(4) == 8


def test_a_support_module_is_fresh_too() -> None:
    support = "count = []\ndef up(): count.append(1); return len(count)\n"
    solution = load("import support\ndef f(): return support.up()\n", support=support)
    assert [solution.f(), solution.f()] == [1, 2]
    solution.load_source("import support\ndef f(): return support.up()\n", seed=0, support=support)
    assert solution.f() == 1


def test_prints_are_left_to_the_streams(capsys: pytest.CaptureFixture[str]) -> None:
    solution = load("import sys\nprint('loading')\ndef f(): print('calling'); print('oh', file=sys.stderr)\n")
    assert solution.f() is None
    assert capsys.readouterr() == ("loading\ncalling\n", "oh\n")


# Sources that cannot be used

FUNCTION = {"name": "f", "kind": "function", "signature": "f(x)"}
CLASS = {"name": "Layer", "kind": "class", "signature": "Layer()"}


@pytest.mark.parametrize(
    "source, line",
    [
        ("def f(:\n", 1),
        ("x = 1\n\n   y = 2\n", 3),
        ("x = 'abc\n", 1),
        ("return 3\n", 1),
        ("\n\nfor x in y:\n", 3),
        ("def f():\n\treturn 1\n        return 2\n", 3),
        ("x = \x00\n", 1),
        ("x = " + "9" * 5000, 1),
        ("x = " + "(" * 300 + ")" * 300, 1),
        ("def f(a, a): ...", 1),
        ("\nawait x\n", 2),
    ],
)
def test_a_syntax_error_says_where(source: str, line: int) -> None:
    facts = why_invalid(source)
    assert (facts["why"], facts["line"]) == ("syntax", line)
    assert facts["message"]


@pytest.mark.parametrize(
    "source",
    [
        "x = " + "-" * 100_000 + "1",
        "x = " + "+".join("1" * 50_000),
        "x = a" + ".a" * 50_000,
        "x = " + "[" * 90 + "]" * 90 + "\ny = " + "not " * 50_000 + "1",
    ],
    ids=["signs", "sum", "attributes", "not"],
)
def test_a_source_too_deep_is_told_so(source: str) -> None:
    assert why_invalid(source)["why"] == "depth"


def test_text_that_python_cannot_take_is_an_answer() -> None:
    with pytest.raises(LearnerError, match="UnicodeEncodeError"):
        load("x = '\ud800'")


@pytest.mark.parametrize(
    "source, entry",
    [
        ("", FUNCTION),
        ("f = 3\n", FUNCTION),
        ("def F(x): ...\n", FUNCTION),
        ("if False:\n    def f(x): ...\n", FUNCTION),
        ("def f(x): ...\ndel f\n", FUNCTION),
        ("def Layer(): ...\n", CLASS),
        ("Layer = object()\n", CLASS),
    ],
)
def test_a_missing_entry_is_named(source: str, entry: dict[str, str]) -> None:
    assert why_invalid(source, entries=[entry]) == {"why": "missing", **entry}


@pytest.mark.parametrize("source", ["def f(x): ...", "f = lambda x: x", "from math import sin as f", "class f: ..."])
def test_whatever_can_be_called_is_a_function(source: str) -> None:
    load(source, entries=[FUNCTION])


def test_a_forbidden_name_is_an_invalid_source_and_says_where() -> None:
    facts = why_invalid("import torch\n\ny = torch.softmax\n", forbidden=["torch.softmax"])
    assert facts == {"why": "forbidden", "name": "torch.softmax", "line": 3}


def test_a_forbidden_call_by_another_road_is_trapped_while_it_runs() -> None:
    source = (
        "import torch\nfrom torch.nn import functional\n"
        "def by_name(): return getattr(torch, ''.join(['soft', 'max']))(torch.ones(2), 0)\n"
        "def by_star():\n    names = {}\n    exec('from torch import *', names)\n"
        "    return names['softmax'](torch.ones(2), 0)\n"
        "def other(): return functional.softmax(torch.ones(2), 0)\n"
    )
    original = torch.softmax
    solution = load(source, forbidden=["torch.softmax"])
    try:
        for name in ("by_name", "by_star"):
            with pytest.raises(LearnerError, match="ForbiddenCall: this exercise asks you to write torch.softmax"):
                getattr(solution, name)()
        assert solution.other().tolist() == [0.5, 0.5]
    finally:
        solution.load_source("", seed=0)
    assert torch.softmax is original


# What the learner's code may do


def test_an_error_on_import_is_the_learners() -> None:
    with pytest.raises(LearnerError, match="ZeroDivisionError") as caught:
        load("x = 1\ny = x / 0\n")
    assert caught.value.line == 2


@pytest.mark.parametrize("raised", ["SystemExit(0)", "KeyboardInterrupt()", "GeneratorExit()", "BaseException('x')"])
@pytest.mark.parametrize("where", ["import", "call"])
def test_what_would_end_a_process_is_an_answer(raised: str, where: str) -> None:
    source = f"raise {raised}\n" if where == "import" else f"def f(): raise {raised}\n"
    assert error_of(source).type_name == raised.split("(")[0]


def test_endless_recursion_is_an_answer_and_the_next_call_works() -> None:
    solution = load("def f(): return f()\ndef g(): return 1\n")
    with pytest.raises(LearnerError, match="RecursionError"):
        solution.f()
    assert solution.g() == 1


@pytest.mark.parametrize("raised", ["ValueError('no')", "SystemExit(3)", "KeyboardInterrupt()"])
def test_an_exception_that_cannot_be_printed_is_an_answer(raised: str) -> None:
    error = error_of(f"class E(Exception):\n    def __str__(self): raise {raised}\ndef f(): raise E()\n")
    assert (error.type_name, error.message, error.line) == ("E", "", 3)


def test_text_that_lies_about_itself_is_an_answer() -> None:
    source = (
        "class S(str):\n    def encode(self, *a): raise ValueError\n    def __len__(self): return 10**9\n"
        "class E(Exception):\n    def __str__(self): return S('hm')\ndef f(): raise E()\n"
    )
    assert error_of(source).message == "hm"


def test_a_name_that_is_no_text_for_the_wire_is_an_answer() -> None:
    error = error_of("E = type('\\ud800', (Exception,), {})\ndef f(): raise E('\\ud800\\x00')\n")
    error.type_name.encode()
    assert "\x00" not in error.message
    error.message.encode()


def test_an_object_whose_name_is_no_text_for_the_wire_is_an_answer() -> None:
    with pytest.raises((LearnerError, Failure)):
        load("def f(): return type('\\ud800', (), {})()\n").f()


@pytest.mark.parametrize(
    "request_", [b"", b"garbage", values.encode([]), values.encode({"do": "fly"}), values.encode({"do": "call"})]
)
def test_a_request_that_is_none_is_answered_with_an_error(request_: bytes) -> None:
    assert "error" in values.decode(Workbench().exchange(request_))


def test_the_reply_cap_is_the_workbenchs_own() -> None:
    workbench = Workbench(reply_cap=1000)
    solution = Solution(workbench, reply_cap=1000)
    solution.load_source("import numpy as np\ndef f(n): return np.zeros(n)\n", seed=0)
    assert solution.f(100).shape == (100,)
    call = {"do": "call", "target": "f", "method": "", "args": [200], "kwargs": {}}
    assert values.decode(workbench.exchange(values.encode(call))) == {"too_large": True}


def test_the_module_is_importable_by_its_name_while_it_is_loaded() -> None:
    load("def f(): return 1\n")
    assert sys.modules["solution"].f() == 1
