from __future__ import annotations

import random
import sys

import numpy as np
import torch

from exercises.testkit.rehearsal import rehearse
from exercises.testkit.solution import Solution


def test_a_rehearsal_passes_and_leaves_no_module_behind() -> None:
    rehearse()
    assert "solution" not in sys.modules


def test_what_follows_a_rehearsal_draws_the_same_numbers() -> None:
    source = (
        "import random, numpy as np, torch\n"
        "def draw():\n"
        "    return [random.random(), np.random.random(), float(torch.rand(1)), str(torch.get_default_dtype())]\n"
    )
    before = Solution.local(source, seed=7).draw()
    random.seed(1), np.random.seed(2), torch.manual_seed(3)
    rehearse()
    assert Solution.local(source, seed=7).draw() == before
