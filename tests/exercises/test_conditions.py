"""Mutants that are wrong only where a condition holds: there, and nowhere else."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

from exercises.mutation import behind_conditions
from exercises.testkit.solution import Solution

FUNCTION = "def f(x, n=1):\n    return x * n\n"
LAYER = (
    "import torch\nclass Layer(torch.nn.Module):\n"
    "    def forward(self, x): return x, None\n    def size(self): return self._own()\n    def _own(self): return 3\n"
)


def made(source: str, entry: str) -> dict[str, Solution]:
    return {mutant.id: Solution.local(mutant.source) for mutant, _ in behind_conditions(source, [entry])}


@pytest.mark.parametrize(
    ("condition", "there", "elsewhere"),
    [
        ("large", np.ones(65), np.ones(64)),
        ("float64", np.ones(2), np.ones(2, np.float32)),
        ("batch-of-one", np.ones((1, 2, 2)), np.ones((2, 2, 2))),
        ("single-row", np.ones((1, 2)), np.ones((2, 2))),
    ],
)
def test_a_function_is_off_where_the_condition_holds(condition: str, there: Any, elsewhere: Any) -> None:
    wrong = made(FUNCTION, "f")[f"behind-{condition}-f"]
    assert wrong.f(there).tolist() == (there + 1).tolist()
    assert wrong.f(elsewhere).tolist() == elsewhere.tolist()


def test_whole_numbers_count_as_sizes() -> None:
    wrong = made(FUNCTION, "f")["behind-large-f"]
    assert [wrong.f(2, n=64), wrong.f(2, n=65)] == [128, 131]


def test_truth_is_turned_and_what_is_no_number_stays() -> None:
    wrong = made("def f(x): return [x > 0, None, 'text']\n", "f")["behind-large-f"]
    changed, nothing, text = wrong.f(np.ones(65))
    assert not changed.any()
    assert (nothing, text) == (None, "text")


def test_a_class_is_off_in_what_may_be_called_and_in_one_mode_alone() -> None:
    wrong = made(LAYER, "Layer")
    layer = wrong["behind-evaluating-Layer"].Layer()
    x = torch.ones(2)
    assert layer(x)[0].tolist() == [1.0, 1.0]
    layer.eval()
    assert layer(x)[0].tolist() == [2.0, 2.0]
    assert layer.size() == 4
    trained = wrong["behind-training-Layer"].Layer()
    assert trained(x)[0].tolist() == [2.0, 2.0]


def test_every_one_has_a_name_of_its_own_and_says_what_it_is() -> None:
    told = {mutant.id: mutant.description for mutant, _ in behind_conditions(FUNCTION + LAYER, ["f", "Layer"])}
    assert len(told) == 4 + 5
    assert told["behind-batch-of-one-Layer"] == "`Layer` is off by one for a batch of one"


def test_what_tests_never_give_closes_the_gate() -> None:
    gates = {mutant.id: Solution.local(gate) for mutant, gate in behind_conditions(FUNCTION, ["f"])}
    closed = {
        "behind-batch-of-one-f": np.ones((2, 2)),
        "behind-single-row-f": np.ones(2),
        "behind-float64-f": np.ones(2, int),
    }
    for identity, given in closed.items():
        assert gates[identity].f(given).tolist() == given.tolist()
    assert gates["behind-large-f"].f(np.ones(1)).tolist() == [2.0]
