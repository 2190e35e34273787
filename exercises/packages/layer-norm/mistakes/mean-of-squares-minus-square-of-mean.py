"""Right on paper, and for most vectors: you compute the variance as the mean of the squares minus the square of the
mean. Where a vector lies far from 0, these are two huge numbers that agree in all the digits that `float32` has, and
what is left of their difference is noise.

Subtract the mean from `x` first, then square.
"""

import numpy as np


def layer_norm(x, gamma, beta, eps):
    mean = np.mean(x, axis=-1, keepdims=True)
    variance = np.mean(x**2, axis=-1, keepdims=True) - mean**2
    return gamma * (x - mean) / np.sqrt(variance + eps) + beta
