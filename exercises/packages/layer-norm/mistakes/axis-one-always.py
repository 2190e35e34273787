"""Your mean and variance run over axis 1. That is the last axis only when there are two.

The vectors lie along the last axis, however many axes there are: `axis=-1`.
"""

import numpy as np


def layer_norm(x, gamma, beta, eps):
    mean = x.mean(axis=1, keepdims=True)
    variance = x.var(axis=1, keepdims=True)
    return gamma * (x - mean) / np.sqrt(variance + eps) + beta
