"""Collecting without pytest finds what pytest finds, and refuses the rest aloud."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from exercises.package import PACKAGES, by_slug, slugs
from exercises.testkit.collect import CollectError, collect, rng_for

ROOT = PACKAGES.parent.parent
EVERYTHING = '''
import enum
import re
from functools import partial

import numpy as np
import pytest
from pytest import mark, param

from exercises.testkit import points, public, sample


class Color(enum.Enum):
    RED = 1


def named(x):
    return f"<{x}>" if isinstance(x, int) else None


@mark.parametrize("n, d", [(1, 2), (50, 512)])
def test_pairs(n, d): ...


@mark.parametrize("a", [0, 1])
@mark.parametrize("b", ["x", "y"])
@mark.parametrize("c, d", [(1.5, True), param(None, 1e-7, id="special")])
def test_stacked(a, b, c, d): ...


@mark.parametrize("value", [1, 1, "1", "a", "a", "a0", "", None, None, b"\\xff", "é\\n\\t\\x00", "long" * 30])
def test_duplicates(value): ...


@mark.parametrize("value", [Color.RED, re.compile("a+"), int, named, np, [1], (2, 3), {"k": 1}, np.zeros(2), 1j, 2**70])
def test_kinds(value): ...


@mark.parametrize("value", [np.float64(0.5), np.int64(3), partial(int), object()])
def test_numpy_scalars(value): ...


@mark.parametrize("v", [1, 2, "x"], ids=["one", None, "three"])
def test_ids(v): ...


@mark.parametrize("v, w", [(1, "x"), (2, 3)], ids=named)
def test_id_function(v, w): ...


@mark.parametrize("v", (n for n in [7, 8]), ids=(str(n) for n in ["a", "b"]))
def test_generators(v): ...


@mark.parametrize(("v",), [(1,), (2,)])
def test_one_tuple(v): ...


@mark.parametrize("v,", [(1,), (2,)])
def test_trailing_comma(v): ...


@mark.parametrize(["v", "w"], ["ab", [1, 2]])
def test_sequences(v, w): ...


@sample
@points(3)
@public(" It is known. ")
def test_marked(extra=None):
    """A title.

    And more."""


test_alias = test_marked
testing_without_underscore = partial(print)
test_lambda = lambda: None


def helper(): ...


def testable(): ...
'''


def pytest_ids(*paths: Path) -> dict[str, list[str]]:
    """By file name and folder, what pytest collects in it; paths are below their common working directory."""
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider", "-W", "ignore"]
    where = paths[0].parent.parent
    (where / "pytest.ini").write_text(f"[pytest]\npythonpath = {ROOT}\naddopts = --import-mode=importlib\n")
    names = [str(path.relative_to(where)) for path in paths]
    done = subprocess.run([*command, *names], capture_output=True, text=True, cwd=where, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    found: dict[str, list[str]] = {path.parent.name: [] for path in paths}
    for line in done.stdout.splitlines():
        if "::" in line:
            file, name = line.split("::", 1)
            found[Path(file).parent.name].append(name)
    return found


def test_ids_are_those_of_pytest(tmp_path: Path) -> None:
    sources = {"everything": EVERYTHING, **{slug: by_slug(slug).tests for slug in slugs()}}
    paths = [tmp_path / name / "tests.py" for name in sources]
    for path, source in zip(paths, sources.values(), strict=True):
        path.parent.mkdir()
        path.write_text(source)
    expected = pytest_ids(*paths)
    assert {name: [case.name for case in collect(source)] for name, source in sources.items()} == expected
    assert len(expected["everything"]) > 50


def test_a_case_carries_its_marks_and_arguments() -> None:
    case = next(case for case in collect(EVERYTHING) if case.name == "test_marked")
    assert (case.title, case.sample, case.points, case.arguments, case.fixtures) == ("A title.", True, 3, {}, ())
    assert case.public == "It is known."
    case = next(case for case in collect(EVERYTHING) if case.name == "test_stacked[special-y-1]")
    assert case.arguments == {"a": 1, "b": "y", "c": None, "d": 1e-7}
    assert (case.title, case.sample, case.points, case.public) == ("Stacked", False, 1, "")


def test_fixtures_are_asked_for_by_name() -> None:
    source = "import pytest\n@pytest.mark.parametrize('n', [1])\ndef test(rng, n, solution): ..."
    assert collect(source)[0].fixtures == ("rng", "solution")


@pytest.mark.parametrize(
    "source, told",
    [
        ("def test(:", "Python cannot read tests.py, line 1"),
        ("1 / 0", "tests.py cannot be imported: it raised ZeroDivisionError"),
        ("def check(): ...", "tests.py has no test"),
        ("import pytest\n@pytest.fixture\ndef thing(): ...", "pytest.fixture is not available"),
        ("from pytest import raises", "Use `raises` of exercises.testkit."),
        ("import pytest\n@pytest.mark.skip\ndef test(): ...", "pytest.mark.skip is not available"),
        ("import pytest\npytest.approx(1)", "Use `close` of exercises.testkit."),
        ("import _pytest.python", "Import pytest alone."),
        ("class TestThing:\n    def test(self): ...", "Test classes such as TestThing"),
        ("def test(thing): ...", "test asks for “thing”. There are only: solution, reference, support, rng, assets."),
        ("def test(*things): ...", "test takes *things."),
        ("async def test(): ...", "test is a coroutine or a generator"),
        ("def test():\n    yield", "test is a coroutine or a generator"),
        ("pytestmark = []\ndef test(): ...", "tests.py defines pytestmark"),
        ("def setup_function(f): ...\ndef test(): ...", "tests.py defines setup_function"),
        ("import pytest\n@pytest.mark.parametrize('n', [])\ndef test(n): ...", "has no values"),
        ("import pytest\n@pytest.mark.parametrize('n', [1])\ndef test(): ...", "takes no such argument"),
        ("import pytest\n@pytest.mark.parametrize('n, m', [1])\ndef test(n, m): ...", "needs a tuple of values"),
        ("import pytest\n@pytest.mark.parametrize('n, m', [(1,)])\ndef test(n, m): ...", "has a case with 1 values"),
        ("import pytest\n@pytest.mark.parametrize('n', [1], ids=['a', 'b'])\ndef test(n): ...", "1 cases but 2 ids"),
        ("import pytest\n@pytest.mark.parametrize('n', [1], indirect=True)\ndef test(n): ...", "indirect=…"),
        ("import pytest\n@pytest.mark.parametrize('n', [pytest.param(1, marks=())])\ndef test(n): ...", "marks=…"),
        ("from exercises.testkit import points\n@points(0.5)\ndef test(): ...", "give a whole number"),
        ("from exercises.testkit import public\n@public(' ')\ndef test(): ...", "takes a reason"),
        ("from exercises.testkit import public\n@public\ndef test(): ...", "takes a reason"),
    ],
)
def test_what_grading_does_not_do_is_refused(source: str, told: str) -> None:
    with pytest.raises(CollectError) as refused:
        collect(source)
    assert told in str(refused.value)


def test_importing_pytest_inside_a_test_gives_the_shim_too() -> None:
    case = collect("def test():\n    import pytest\n    pytest.skip()")[0]
    with pytest.raises(CollectError, match="pytest.skip is not available"):
        case.function()


def test_random_numbers_depend_on_seed_and_name_alone() -> None:
    first = rng_for(7, "test_a").random(4)
    np.testing.assert_array_equal(first, rng_for(7, "test_a").random(4))
    assert not np.array_equal(first, rng_for(8, "test_a").random(4))
    assert not np.array_equal(first, rng_for(7, "test_b").random(4))
    rng_for(2**200, "any seed will do").random()
