"""You divide by the variance itself. It is a *squared* spread: divide by its root, `np.sqrt(variance + eps)`, so that
the result has the variance 1."""

import numpy as np


def layer_norm(x, gamma, beta, eps):
    mean = x.mean(axis=-1, keepdims=True)
    variance = x.var(axis=-1, keepdims=True)
    return gamma * (x - mean) / (variance + eps) + beta
