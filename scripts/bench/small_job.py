"""A job that asks for every kind of value and every request that there is, so that its exchanges are worth damaging."""

from __future__ import annotations

from grader.checker.job import Job

REPLY_MB = 1 / 16

SOURCE = """
import numpy as np
import torch


def double(x):
    return 2 * x


def total(x):
    return float(x.sum())


def plain(n):
    return ("three", [1, 2.5, None, -(2**70)], {"a": True, ((1, 2), 3): b"xyz", 2: {}})


def an_array(name):
    return np.ones((2, 3)).astype(name)


def a_tensor(name):
    return torch.ones(3, 1).to(getattr(torch, name))


def others():
    empty = [np.zeros((0, 4)), torch.zeros(0, 2, 0), [], ()]
    return {"scalars": [np.float32(1.5), np.bool_(True), 1 - 2j], "empty": empty, "text": "\\u00df", "raw": bytes(700)}


def refuse(n):
    raise ValueError("no")


class Layer(torch.nn.Module):
    def __init__(self, width):
        super().__init__()
        self.w = torch.nn.Parameter(torch.ones(width, width))
        self.register_buffer("b", torch.zeros(width))

    def forward(self, x):
        return x @ self.w + self.b
"""
TESTS = """
import numpy as np
import torch
from exercises.testkit import close, equal, raises, unchanged


def test_array(solution, reference, rng):
    x = rng.normal(size=(2, 3))
    close(solution.double(x), reference.double(x))


def test_computed_with(solution):
    close(solution.double(np.ones((2, 3))) + np.ones(3), np.full((2, 3), 3.0))


def test_plain(solution, reference):
    equal(solution.plain(3), reference.plain(3))


def test_dtypes(solution, reference):
    for name in ("bool", "int8", "uint64", "float16", "float64", "complex64"):
        equal(solution.an_array(name), reference.an_array(name))
    for name in ("bool", "int64", "bfloat16", "float32", "complex128"):
        equal(solution.a_tensor(name), reference.a_tensor(name))
    equal(solution.others(), reference.others())


def test_large(solution):
    close(solution.total(np.ones(60_000)), 60_000.0)


def test_layer(solution):
    layer = solution.Layer(2)
    equal(layer.names(), {"w": (2, 2), "b": (2,)})
    equal(layer.parameter_names(), {"w": (2, 2)})
    layer.train()
    layer.load({"w": np.full((2, 2), 0.5, dtype=np.float32), "b": torch.zeros(2)})
    x = torch.tensor([[1.0, 3.0]])
    close(layer(x), torch.tensor([[2.0, 2.0]]))
    close(layer.read(), {"w": torch.full((2, 2), 0.5), "b": torch.zeros(2)})
    found = layer.gradients(x, cotangent=torch.ones(1, 2))
    close(found.inputs[0], torch.tensor([[1.0, 1.0]]))
    close(found.parameters["w"], torch.tensor([[1.0, 1.0], [3.0, 3.0]]))


def test_unchanged(solution):
    unchanged(solution.double, np.ones(3))


def test_raises(solution):
    raises("ValueError", solution.refuse, 3)
"""


def a_job(cpu_seconds: float) -> Job:
    return Job(
        source=SOURCE,
        tests=TESTS,
        reference=SOURCE,
        support=None,
        assets={},
        mistakes={},
        entries=[{"name": "double", "kind": "function", "signature": "double(x)"}],
        forbidden=[],
        rtol=1e-5,
        atol=1e-8,
        cpu_seconds=cpu_seconds,
        total_cpu_seconds=4 * cpu_seconds,
        memory_mb=64,
        output_kb=16,
        reply_mb=REPLY_MB,
        seed=20,
        sample_only=False,
    )
