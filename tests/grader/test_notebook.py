"""A notebook's cells: which are offered, which of them are chosen, and what becomes of the notebook's own commands."""

from __future__ import annotations

import json
from typing import Any

import pytest

from grader.notebook import cells_of, joined


def notebook(*sources: Any, **more: Any) -> str:
    cells = [{"cell_type": "code", "source": source, "outputs": [], "execution_count": None} for source in sources]
    return json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": cells, **more})


def only(source: Any) -> tuple[str, bool]:
    (cell,) = cells_of(notebook(source)) or []
    return cell.source, cell.chosen


def test_what_is_no_notebook_is_none() -> None:
    for text in ("def f(x): ...\n", "{1: 2}", '{"cells": []}', "[1]", '{"nbformat": 4}', "{" * 100_000):
        assert cells_of(text) is None


def test_code_is_offered_and_text_and_empty_cells_are_not() -> None:
    cells = [
        {"cell_type": "markdown", "source": "# Title"},
        {"cell_type": "code", "source": ["import numpy as np\n", "x = 1"]},
        {"cell_type": "code", "source": []},
        {"cell_type": "code"},
        "nonsense",
    ]
    found = cells_of(json.dumps({"nbformat": 4, "cells": cells}))
    assert [cell.source for cell in found or []] == ["import numpy as np\nx = 1"]


@pytest.mark.parametrize(
    ("source", "chosen"),
    [
        ("import numpy as np\nfrom math import pi", True),
        ("def f(x):\n    return x\n\nclass A: ...", True),
        ("x = 1\ny: int = 2", True),
        ("'''Only words.'''", True),
        ("print(1)", False),
        ("x = 1\nplt.plot(x)", False),
        ("for x in y: ...", False),
        ("if __name__ == '__main__': ...", False),
        ("def f(:", False),
        ("# only a comment", False),
    ],
)
def test_what_only_imports_defines_and_assigns_is_chosen(source: str, chosen: bool) -> None:
    assert only(source) == (source, chosen)


@pytest.mark.parametrize(
    ("source", "left"),
    [
        ("%matplotlib inline\nimport numpy as np", "# %matplotlib inline\nimport numpy as np"),
        ("!pip install torch\nx = 1", "# !pip install torch\nx = 1"),
        ("files = !ls\nx = 1", "# files = !ls\nx = 1"),
        ("np.sin?\nx = 1", "# np.sin?\nx = 1"),
        ("if True:\n    %time x = 1", "if True:\n    pass  # %time x = 1"),
        ("%%time\ndef f(x):\n    return x", "# %%time\ndef f(x):\n    return x"),
        ("%%bash\nls -l", "# %%bash\n# ls -l"),
        ("text = '''\n% kept\n'''", "text = '''\n% kept\n'''"),
        ("x = 7\nx %= 3", "x = 7\nx %= 3"),
    ],
)
def test_commands_of_the_notebook_become_comments(source: str, left: str) -> None:
    assert only(source)[0] == left


def test_chosen_cells_make_one_file_in_their_order() -> None:
    assert joined(["a = 1\n", "b = 2", "c = 3"], [2, 0]) == "a = 1\n\nc = 3\n"
    assert joined([], [3]) == "\n"
