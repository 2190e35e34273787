"""Gain and bias have changed places: you multiply by `beta` and add `gamma`.

The gain `gamma` multiplies, the bias `beta` is added.
"""

import numpy as np


def layer_norm(x, gamma, beta, eps):
    mean = x.mean(axis=-1, keepdims=True)
    variance = x.var(axis=-1, keepdims=True)
    return beta * (x - mean) / np.sqrt(variance + eps) + gamma
