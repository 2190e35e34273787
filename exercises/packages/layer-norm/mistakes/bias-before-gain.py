"""You add the bias first and multiply by the gain afterwards, so the bias is multiplied as well.

Multiply first, then add: `gamma * normalised + beta`. Check your parentheses.
"""

import numpy as np


def layer_norm(x, gamma, beta, eps):
    mean = x.mean(axis=-1, keepdims=True)
    variance = x.var(axis=-1, keepdims=True)
    return gamma * ((x - mean) / np.sqrt(variance + eps) + beta)
