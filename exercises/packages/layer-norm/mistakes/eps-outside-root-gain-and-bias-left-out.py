"""Two things are missing: you take the root first and add eps to it afterwards, and you return the normalised vector
as it is, so that `gamma` and `beta` have no effect.

Add eps to the variance, inside the root: `np.sqrt(variance + eps)`. Then multiply by the gain `gamma` and add the
bias `beta`.
"""

import numpy as np


def layer_norm(x, gamma, beta, eps):
    mean = np.mean(x, axis=-1, keepdims=True)
    std = np.std(x, axis=-1, keepdims=True)
    return (x - mean) / (std + eps)
