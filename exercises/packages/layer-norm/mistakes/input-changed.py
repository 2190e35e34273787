"""Your result is right, but `x` itself is changed on the way: `x -= mean` writes into the caller's array. In a layer,
the input is still needed for the residual connection.

Make a new array: `centred = x - mean`.
"""

import numpy as np


def layer_norm(x, gamma, beta, eps):
    x -= x.mean(axis=-1, keepdims=True)
    variance = np.mean(x**2, axis=-1, keepdims=True)
    return gamma * x / np.sqrt(variance + eps) + beta
