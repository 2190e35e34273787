"""You square the variance, which is a square already: the result does not have the variance 1.

The standard deviation, squared, *is* the variance. Divide by `np.sqrt(variance + eps)`.
"""

import numpy as np


def layer_norm(x, gamma, beta, eps):
    mean = np.mean(x, axis=-1, keepdims=True)
    variance = np.var(x, axis=-1, keepdims=True)
    return gamma * (x - mean) / np.sqrt(variance**2 + eps) + beta
