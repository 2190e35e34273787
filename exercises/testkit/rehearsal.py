"""A first performance before nobody: what every judgement does, done once on an exercise of no interest.

A fork copies a page of memory when it first writes to it, and most of what one judgement writes to, another does, too.
A process that waits for its job rehearses meanwhile. It leaves nothing behind that a test could see: the module is made
anew, and random states for every test.
"""

from __future__ import annotations

import sys
from typing import Any

from exercises.testkit.collect import collect, rng_for
from exercises.testkit.solution import Solution
from exercises.testkit.workbench import MODULE

_SOURCE = '''
"""Scores between rows, and a small layer."""

import math

import numpy as np
import torch
from torch import nn


def scores(q, k):
    x = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])
    x = np.exp(x - x.max(axis=-1, keepdims=True))
    return x / x.sum(axis=-1, keepdims=True)


class Layer(nn.Module):
    def __init__(self, width: int, n_heads: int) -> None:
        super().__init__()
        self.n_heads = n_heads
        self.first, self.second = nn.Linear(width, width), nn.Linear(width, width)
        self.norm = nn.LayerNorm(width)

    def forward(self, x: torch.Tensor, mask: torch.Tensor | None = None) -> torch.Tensor:
        y = self.first(x).view(*x.shape[:2], self.n_heads, -1).transpose(1, 2)
        weights = y @ y.transpose(-2, -1) / math.sqrt(y.size(-1))
        if mask is not None:
            weights = weights.masked_fill(~mask, float("-inf"))
        y = (torch.softmax(weights, dim=-1) @ y).transpose(1, 2).reshape(x.shape)
        return self.norm(x + self.second(torch.relu(y)))
'''

_TESTS = '''
import numpy as np
import pytest
import torch

from exercises.testkit import close, points, sample, shape_is


@sample
def test_arrays(solution, reference, rng):
    """Arrays"""
    q, k = rng.normal(size=(2, 3, 4)), rng.normal(size=(2, 5, 4))
    close(solution.scores(q, k), reference.scores(q, k))


@points(2)
@pytest.mark.parametrize("n_heads", [2])
def test_tensors(solution, reference, rng, n_heads):
    """Tensors"""
    x = torch.from_numpy(rng.normal(size=(2, 3, 4)).astype(np.float32))
    mask = torch.ones(3, 3, dtype=torch.bool).tril()
    ours, theirs = solution.Layer(4, n_heads), reference.Layer(4, n_heads)
    theirs.load(ours.read())
    close(shape_is(ours(x, mask), (2, 3, 4), kind="tensor"), theirs(x, mask))
    found, expected = (layer.gradients(x, mask, cotangent=torch.ones(2, 3, 4)) for layer in (ours, theirs))
    close(found.parameters["first.weight"], expected.parameters["first.weight"], rtol=1e-3, atol=1e-4)
'''


def rehearse() -> None:
    """Collect tests and run them on a solution and a reference, both in this process, values crossing encoded."""
    solution, reference = Solution.local(_SOURCE), Solution.local(_SOURCE)
    for case in collect(_TESTS):
        solution.begin(0)
        reference.begin(0)
        available: dict[str, Any] = {"solution": solution, "reference": reference, "rng": rng_for(0, case.name)}
        case.function(**{name: available[name] for name in case.fixtures}, **case.arguments)
    del sys.modules[MODULE]
