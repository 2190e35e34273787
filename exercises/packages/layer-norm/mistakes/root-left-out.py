"""You divide by the variance itself, which is a *squared* spread. Your result does not have the variance 1.

Divide by its root, `np.sqrt(variance + eps)`.
"""

import numpy as np


def layer_norm(x, gamma, beta, eps):
    mean = x.mean(axis=-1, keepdims=True)
    variance = x.var(axis=-1, keepdims=True)
    return gamma * (x - mean) / (variance + eps) + beta
