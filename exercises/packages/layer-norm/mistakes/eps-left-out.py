"""Your code does not use eps, which keeps the root away from 0: a vector of equal values has the variance 0, and
without eps it becomes 0/0.

Add it to the variance: `np.sqrt(variance + eps)`.
"""

import numpy as np


def layer_norm(x, gamma, beta, eps):
    mean = x.mean(axis=-1, keepdims=True)
    variance = np.mean((x - mean) ** 2, axis=-1, keepdims=True)
    return gamma * (x - mean) / np.sqrt(variance) + beta
