"""You take the root first and add eps to it afterwards. In the formula eps stands *inside* the root, next to the
variance: `np.sqrt(variance + eps)`. The two differ most where a vector's values hardly differ."""

import numpy as np


def layer_norm(x, gamma, beta, eps):
    mean = x.mean(axis=-1, keepdims=True)
    std = x.std(axis=-1, keepdims=True)
    return gamma * (x - mean) / (std + eps) + beta
