"""What a test exhibits: kept on an open stage, free on a closed one, and never a reason to fail but for its author."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
import torch

from exercises.testkit import exhibit
from exercises.testkit.exhibits import MAX_LABEL, MAX_SIDE, MAX_TEXT, MOST, BadExhibit, Stage, stage
from exercises.testkit.solution import Solution

GRID = np.array([[0.5, 0.25, 0.25], [1.0, 0.0, 0.0]])


def shown(grid: Any = GRID, title: Any = "A title", **changed: Any) -> Stage:
    """What stands on an open stage after one exhibit."""
    facts = {"rows": ["a", "b"], "columns": ["x", "y", "z"], "caption": "How much"} | changed
    with stage(is_open=True) as standing:
        exhibit(title, grid if callable(grid) else lambda: grid, **facts)
    return standing


def test_title_labels_and_numbers_are_kept_as_plain_json() -> None:
    standing = shown(text="कुत्ता", language="hi")
    assert standing.problems == []
    assert json.loads(json.dumps(standing.shown, allow_nan=False)) == [
        {
            "title": "A title",
            "caption": "How much",
            "text": "कुत्ता",
            "language": "hi",
            "rows": ["a", "b"],
            "columns": ["x", "y", "z"],
            "grid": [[0.5, 0.25, 0.25], [1.0, 0.0, 0.0]],
        }
    ]


@pytest.mark.parametrize("is_open", [False, None])
def test_nothing_is_computed_unless_the_stage_is_open(is_open: bool | None) -> None:
    def never() -> None:
        raise AssertionError

    def slip() -> None:
        exhibit(3, never, rows=(), columns=(), caption="")  # type: ignore[arg-type]

    if is_open is None:
        slip()
        return
    with stage(is_open=is_open) as standing:
        slip()
    assert (standing.reached, standing.shown, standing.problems) == (True, [], [])


@pytest.mark.parametrize(
    "grid",
    [
        torch.tensor(GRID),
        torch.tensor(GRID, dtype=torch.bfloat16),
        torch.tensor(GRID, requires_grad=True),
        GRID.astype(np.float32),
        np.asfortranarray(GRID),
    ],
    ids=["tensor", "bfloat16", "with gradient", "float32", "column-major"],
)
def test_arrays_and_tensors_of_any_width_are_taken(grid: Any) -> None:
    assert shown(grid).shown[0]["grid"] == GRID.tolist()


def test_numbers_are_short_and_what_is_not_finite_is_none() -> None:
    grid = np.array([[1 / 3, np.nan, np.inf], [-np.inf, 1e300, 5e-324]])
    assert shown(grid).shown[0]["grid"] == [[0.3333, None, None], [None, 1e300, 5e-324]]


class _Subclass(np.ndarray[Any, np.dtype[Any]]): ...


@pytest.mark.parametrize(
    "grid",
    [
        None,
        "text",
        3.0,
        GRID.tolist(),
        GRID[0],
        GRID.T,
        GRID[None],
        np.zeros((2, 1 << 20)),
        np.zeros((0, 3)),
        np.array([["a", "b", "c"]] * 2),
        GRID * 1j,
        np.full((2, 3), None),
        GRID.view(_Subclass),
        torch.nn.Parameter(torch.tensor(GRID)),
        torch.tensor(GRID).to_sparse(),
    ],
    ids=str,
)
def test_what_is_no_grid_leaves_the_rest(grid: Any) -> None:
    standing = shown(grid, text="said")
    (one,) = standing.shown
    assert (one["grid"], one["text"]) == (None, "said")
    assert standing.problems[0].startswith("“A title” has no grid: ValueError: ")
    assert len(standing.problems[0]) <= 300


def test_an_error_of_the_learners_leaves_no_grid_and_passes_no_further() -> None:
    solution = Solution.local("def f(): raise ValueError('x' * 10_000)\ndef g(): return {1}\n")
    for name, told in (("f", "LearnerError: ValueError: xxx"), ("g", "Failure: Your code returned a set")):
        standing = shown(getattr(solution, name))
        assert standing.shown[0]["grid"] is None
        assert told in standing.problems[0]
        assert len(standing.problems[0]) <= 300


def test_labels_and_text_are_cut_and_cleaned() -> None:
    standing = shown(rows=["r" * 1000, "\x00\ud800"], text="t" * 1000)
    (one,) = standing.shown
    assert [len(label) for label in one["rows"]] == [MAX_LABEL, len(r"\x00\ud800")]
    assert len(one["text"]) == MAX_TEXT
    json.dumps(one, ensure_ascii=False).encode()


@pytest.mark.parametrize(
    ("slip", "told"),
    [
        ({"title": ""}, "The title of an exhibit must be a text of 1 to 400 characters."),
        ({"title": 3}, "The title of an exhibit must be a text"),
        ({"caption": "c" * 401}, "The caption of an exhibit must be a text of 1 to 400 characters."),
        ({"text": None}, "The text of an exhibit must be a text, not None."),
        ({"language": 'hi" onclick="'}, "The language of an exhibit must be two or three small letters, as “hi”."),
        ({"rows": []}, f"The rows of an exhibit must be a list of 1 to {MAX_SIDE} labels."),
        ({"columns": ["c"] * 33}, f"The columns of an exhibit must be a list of 1 to {MAX_SIDE} labels."),
        ({"rows": "ab"}, "The rows of an exhibit must be a list"),
        ({"rows": [1, 2]}, "The rows of an exhibit must be labelled by texts."),
        ({"grid": 3}, "Write `lambda:` before it."),
    ],
)
def test_an_authors_slip_is_refused_with_a_sentence(slip: dict[str, Any], told: str) -> None:
    facts: dict[str, Any] = {"title": "T", "grid": lambda: GRID, "rows": ["a"], "columns": ["x"], "caption": "C"} | slip
    with stage(is_open=True) as standing, pytest.raises(BadExhibit) as refused:
        exhibit(**facts)
    assert told in str(refused.value)
    assert standing.problems == [str(refused.value)]
    assert standing.shown == []


def test_a_test_exhibits_only_so_many_things() -> None:
    def one_more() -> None:
        exhibit("T", lambda: np.zeros((1, 1)), rows=["a"], columns=["b"], caption="C")

    with stage(is_open=True) as standing:
        for _ in range(MOST):
            one_more()
        with pytest.raises(BadExhibit, match="A test may exhibit 4 things"):
            one_more()
    assert len(standing.shown) == MOST
