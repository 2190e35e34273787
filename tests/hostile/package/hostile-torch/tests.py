"""{{SECRET}}"""

import numpy as np
import torch

from exercises.testkit import close, equal, points, sample

HIDDEN = "{{SECRET}}"


def normal(rng, *shape):
    return torch.from_numpy(rng.standard_normal(shape).astype(np.float32))


@sample
def test_example(solution):
    """A weight of 2"""
    layer = solution.Scale(2)
    layer.load({"weight": torch.tensor([2.0, 3.0])})
    close(layer(torch.tensor([[1.0, 1.0]])), torch.tensor([[2.0, 3.0]]))


@points(5)
def test_any_input(solution, rng):
    """Any input, any weight"""
    layer, x, weight = solution.Scale(4), normal(rng, 3, 4), normal(rng, 4)
    equal(layer.names(), {"weight": (4,)})
    layer.load({"weight": weight})
    close(layer(x), x * weight, dtypes=("float32",))


@points(4)
def test_gradients(solution, rng):
    """Gradients by input and weight"""
    layer, x, weight, cotangent = solution.Scale(4), normal(rng, 3, 4), normal(rng, 4), normal(rng, 3, 4)
    layer.load({"weight": weight})
    found = layer.gradients(x, cotangent=cotangent)
    close(found.inputs[0], cotangent * weight)
    close(found.parameters["weight"], (cotangent * x).sum(0))
