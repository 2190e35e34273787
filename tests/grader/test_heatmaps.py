from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from exercises.testkit.compare import close
from exercises.testkit.failures import Failure
from grader.heatmaps import HeatMap, exhibits, heat_map


def noted(actual: Any, expected: Any) -> HeatMap | None:
    """What a page draws of the failure that `close` raises."""
    with pytest.raises(Failure) as failure:
        close(actual, expected)
    return heat_map(failure.value.details)


def test_both_grids_have_one_scale_with_zero_in_its_middle() -> None:
    found = noted(np.array([[0.0, 4.0], [-2.0, 1.0]]), np.array([[0.0, 1.0], [-2.0, 1.0]]))
    assert found is not None
    expected, yours = found.panels
    assert [[cell.shade for cell in row.cells] for row in yours.rows] == [["8", "16"], ["4", "10"]]
    assert [[cell.shade for cell in row.cells] for row in expected.rows] == [["8", "10"], ["4", "10"]]
    assert [cell.text for cell in yours.rows[1].cells] == ["−2", "1"]


def test_the_worst_place_is_marked_also_in_a_part_of_a_larger_array() -> None:
    expected = np.zeros((2, 3, 40))
    actual = expected.copy()
    actual[1, 2, 39] = 5.0
    found = noted(actual, expected)
    assert found is not None
    assert (found.where, found.numbers) == ("[1]", False)
    worst = [(row.label, place) for row in found.panels[1].rows for place, cell in enumerate(row.cells) if cell.worst]
    assert worst == [("2", len(found.columns) - 1)]
    assert found.columns[-1] == "39"


def test_a_value_that_is_not_finite_has_no_shade() -> None:
    found = noted(np.array([1.0, np.nan]), np.array([1.0, 2.0]))
    assert found is not None
    assert [(cell.shade, cell.text) for cell in found.panels[1].rows[0].cells] == [("12", "1"), ("", "nan/inf")]


def test_numbers_are_short() -> None:
    values = [0.0, 0.09983, -0.5, 12.0, 2e-5, 123456.0]
    found = heat_map({"heatmap": {"expected": [values], "got": [values], "rows": [0], "columns": [*range(6)],
                                  "slice": []}, "index": [1]})  # fmt: skip
    assert found is not None
    texts = [cell.text for cell in found.panels[0].rows[0].cells]
    assert texts == ["0", "0.0998", "−0.5", "12", "2e−05", "1.2e+05"]


def test_a_vector_of_zeros_and_a_single_value() -> None:
    zeros = heat_map({"heatmap": {"expected": [[0.0, 0.0]], "got": [[0.0, None]], "rows": [0], "columns": [0, 1],
                                  "slice": []}, "index": [1]})  # fmt: skip
    assert zeros is not None
    assert zeros.panels[0].rows[0].cells[0].shade == "8"
    assert noted(np.array([1.0]), np.array([2.0])) is None
    assert heat_map({"kind": "shape"}) is None


def exhibited(**changed: Any) -> dict[str, Any]:
    facts = {"title": "T", "caption": "C", "text": "क ख", "language": "hi", "rows": ["क", "ख"], "columns": ["a", "b"],
             "grid": [[0.5, -0.25], [None, 0.0]]}  # fmt: skip
    return {"exhibits": [facts | changed]}


def test_an_exhibit_is_a_heat_map_with_the_authors_labels() -> None:
    (found,) = exhibits(exhibited())
    assert (found.title, found.text, found.language) == ("T", "क ख", "hi")
    assert found.heat is not None
    (panel,) = found.heat.panels
    assert (panel.title, found.heat.columns, found.heat.language, found.heat.numbers) == ("C", ("a", "b"), "hi", True)
    assert [row.label for row in panel.rows] == ["क", "ख"]
    cells = [(cell.shade, cell.text, cell.worst) for row in panel.rows for cell in row.cells]
    assert cells == [("16", "0.5", False), ("4", "−0.25", False), ("", "nan/inf", False), ("8", "0", False)]


def test_an_exhibit_without_a_grid_keeps_its_text() -> None:
    (found,) = exhibits(exhibited(grid=None))
    assert (found.text, found.heat) == ("क ख", None)


@pytest.mark.parametrize("size", [5e-324, 1e308])
def test_tiny_and_huge_numbers_have_shades(size: float) -> None:
    (found,) = exhibits(exhibited(grid=[[size, -size], [0.0, None]]))
    assert found.heat is not None
    shades = [cell.shade for row in found.heat.panels[0].rows for cell in row.cells]
    assert shades == ["16", "0", "8", ""]


def test_details_without_exhibits_have_none() -> None:
    assert exhibits({"kind": "shape"}) == ()


def test_a_wrong_answer_of_huge_numbers_can_be_drawn() -> None:
    found = noted(np.array([1e308, -1e308]), np.array([1.0, 2.0]))
    assert found is not None
    assert [cell.shade for cell in found.panels[1].rows[0].cells] == ["16", "0"]
