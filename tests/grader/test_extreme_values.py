"""Whatever numbers and texts a learner sends, the report on them is stored, read back and drawn: in both databases."""

from __future__ import annotations

import json
import math
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest
import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from exercises.testkit import Failure, close, deterministic, equal, exhibit, shape_is
from exercises.testkit.exhibits import stage
from exercises.testkit.solution import LearnerError
from grader import strict
from grader.checker.job import Findings
from grader.judge import make_report
from grader.models import State, Submission
from grader.report import Outcome, Report, Seconds
from grader.sandbox import Sandbox
from grader.selectors import shown
from tests.grader.small import QueueUp, make_package

FLOATS = (np.float16, np.float32, np.float64)
COMPLEX = {np.complex64: np.float32, np.complex128: np.float64}
WHOLE = [np.dtype(f"{sign}int{bits}") for sign in ("", "u") for bits in (8, 16, 32, 64)]
TORCH_FLOATS = (torch.bfloat16, torch.float16, torch.float32, torch.float64)
HUGE = st.sampled_from(
    [sign * (base**power) for sign in (1, -1) for base in (2, 10) for power in (53, 63, 64, 308, 400)]
)


def extremes(dtype: Any) -> list[float]:
    facts = np.finfo(dtype)
    ends = [facts.max, facts.tiny, facts.smallest_subnormal, facts.eps, math.inf]
    return [0.0, -0.0, 1.0, 0.1, math.nan, *(sign * float(end) for end in ends for sign in (1, -1))]


def any_of(*kinds: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Each as often as every other: `one_of` would look into them, and draw from the largest."""
    return st.integers(0, len(kinds) - 1).flatmap(lambda place: kinds[place])


def arrays(dtype: Any, numbers: list[Any], shape: tuple[int, ...]) -> st.SearchStrategy[Any]:
    count = math.prod(shape)
    cells = st.lists(st.sampled_from(numbers), min_size=count, max_size=count)
    return cells.map(lambda values: np.array(values, dtype=dtype).reshape(shape))


NUMBERS: dict[Any, list[Any]] = {
    **{dtype: extremes(dtype) for dtype in FLOATS},
    **{dtype: [np.iinfo(dtype).min, np.iinfo(dtype).max, 0, 1] for dtype in WHOLE},
    np.bool_: [True, False],
    **{dtype: [complex(a, b) for a in extremes(part) for b in (0.0, a)] for dtype, part in COMPLEX.items()},
}
ALIKE = [arrays(dtype, numbers, (2, 3)) for dtype, numbers in NUMBERS.items()]
SHAPES = [(), (1,), (6,), (3, 2), (1, 2, 3), (0, 3)]
OTHERS = [arrays(dtype, numbers, shape) for dtype, numbers in NUMBERS.items() for shape in SHAPES]
ARRAYS = any_of(*ALIKE, *OTHERS)
TENSORS = any_of(
    ARRAYS.filter(lambda array: array.dtype.name in ("float64", "int64", "bool", "complex64")).map(torch.from_numpy),
    st.tuples(
        arrays(np.float64, extremes(np.float32) + extremes(np.float64), (2, 3)), st.sampled_from(TORCH_FLOATS)
    ).map(lambda pair: torch.from_numpy(pair[0]).to(pair[1])),
)
PLAIN = any_of(HUGE, st.sampled_from(extremes(np.float64)), st.complex_numbers(), st.booleans(), st.none())
ODD_TEXTS = st.text(st.characters(codec=None) | st.sampled_from("\x00\x1b\r\u202e\u2066\ud800\udfff\n\t"), max_size=20)
SENT = any_of(ARRAYS, TENSORS, PLAIN, ODD_TEXTS, st.binary(max_size=8))
VALUES = any_of(SENT, st.lists(SENT, max_size=2), st.tuples(SENT, SENT), st.dictionaries(ODD_TEXTS, SENT, max_size=2))
# Of one form as often as not: only then numbers are compared, and drawn.
PAIRS = any_of(
    st.tuples(VALUES, VALUES),
    st.tuples(PLAIN, PLAIN),
    st.tuples(TENSORS, TENSORS),
    any_of(*(st.tuples(x, x) for x in ALIKE)),
)


def failed(actual: Any, expected: Any, how: str) -> dict[str, Any]:
    """What a test reports that compares the two; details as the runner takes them."""
    try:
        with np.errstate(all="ignore"):
            if how == "close":
                close(actual, expected)
            elif how == "equal":
                equal(actual, expected)
            elif how == "allowed":
                close(actual, expected, allow_nonfinite=True, rtol=1e-3, atol=0.0)
            elif how == "twice":
                answers = iter((actual, expected))
                deterministic(lambda: next(answers))
            else:
                shape_is(actual, (2, 3))
    except Failure as failure:
        return {"message": failure.message, "details": {**failure.details, "headline": failure.headline}}
    except TypeError:  # the test's own doing: it compares with what nobody can compare with
        return {"message": "", "details": {}}
    return {"message": "", "details": {}}


def exhibited(value: Any) -> dict[str, Any]:
    with stage(is_open=True) as standing:
        exhibit("Grid", lambda: value, rows=["a", "b"], columns=["x", "y", "z"], caption="Numbers")
    return {"exhibits": standing.shown, "exhibit_problems": standing.problems}


def a_test(number: int, text: str, facts: dict[str, Any]) -> dict[str, Any]:
    fixed = {"sample": True, "points": 1, "outcome": Outcome.WRONG_ANSWER.value, "seconds": 5e-324}
    return strict.plain({"name": f"{number}{text}", "title": text, **fixed, **facts})  # type: ignore[no-any-return]


def reported(findings: Findings, printed: bytes) -> Report:
    """The way from a checker's findings to what the worker stores."""
    machine = cast("Sandbox", SimpleNamespace(level="A", versions={}))
    output = {("0", "stdout"): printed, ("1", "stderr"): printed}
    found = Findings.decode(findings.encode())
    return make_report(make_package(), found, 0, machine, seconds=Seconds(0.0, 0.0, 0.0), output=output)


def same(left: Any, right: Any) -> bool:
    """Equal but for how a number is written: PostgreSQL gives 1e300 back as a whole number."""
    if isinstance(left, (int, float)) and not isinstance(left, bool):
        return not isinstance(right, bool) and float(left) == float(right)
    if isinstance(left, dict):
        return left.keys() == right.keys() and all(same(value, right[key]) for key, value in left.items())
    if isinstance(left, (list, tuple)):
        return len(left) == len(right) and all(same(*pair) for pair in zip(left, right, strict=True))
    return bool(left == right)


def assert_stored_and_drawn(submission: Submission, report: Report) -> None:
    data = report.to_json()
    json.dumps(data, allow_nan=False).encode()
    submission.report, submission.verdict = data, report.verdict
    submission.save()
    submission.refresh_from_db()
    again = submission.read_report()
    assert again is not None
    assert same(again.to_json(), json.loads(json.dumps(data)))
    for test in shown(submission, to_teacher=True).tests:
        heats = [test.heat, *(one.heat for one in test.exhibits)]
        cells = [cell for heat in heats if heat for panel in heat.panels for row in panel.rows for cell in row.cells]
        assert all(cell.shade == "" or 0 <= int(cell.shade) <= 16 for cell in cells)


@pytest.fixture
def submission(queue_up: QueueUp) -> Submission:
    return queue_up(state=State.DONE, verdict="wrong_answer")


@settings(
    max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
@given(
    pair=PAIRS,
    how=st.sampled_from(["close", "equal", "allowed", "twice", "shape"]),
    text=ODD_TEXTS,
    printed=st.binary(max_size=20),
)
def test_extreme_values_in_every_field(
    submission: Submission, pair: tuple[Any, Any], how: str, text: str, printed: bytes
) -> None:
    actual, expected = pair
    facts = failed(actual, expected, how)
    error = LearnerError(text, text, text, line=1)
    raised = {
        "message": str(error),
        "details": {"exception": text, "traceback": text, "line": error.line, text: actual},
    }
    tests = [
        a_test(0, text, facts),
        a_test(1, text, {"message": text, "details": exhibited(actual)}),
        a_test(2, text, raised),
    ]
    report = reported(Findings(tests=tests, invalid=text, seconds=1e308), printed)
    assert_stored_and_drawn(submission, report)


@pytest.mark.parametrize("dtype", [*FLOATS, *COMPLEX])
@pytest.mark.parametrize("name", ["max", "tiny", "smallest_subnormal"])
def test_the_ends_of_every_dtype_are_drawn(submission: Submission, dtype: Any, name: str) -> None:
    """A finite number that four digits round to infinity, and one that nothing can be divided by."""
    end = np.full((2, 3), getattr(np.finfo(dtype), name), dtype=dtype)
    facts = failed(end, np.ones((2, 3), dtype=dtype) if name == "max" else end * 0 + 1, "close")
    drawn = exhibited(end)
    for grid in (facts["details"]["heatmap"]["got"], drawn["exhibits"][0]["grid"]):
        assert dtype in COMPLEX or all(math.isfinite(number) for row in grid for number in row)
    tests = [a_test(0, "end", facts), a_test(1, "end", {"message": "", "details": drawn})]
    assert_stored_and_drawn(submission, reported(Findings(tests=tests), b""))
