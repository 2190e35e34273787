"""You never subtract the mean; you divide by the root of the mean square. That is another method, RMSNorm, which
newer models use.

Layer normalisation first moves the mean to 0: use `x - mean` throughout.
"""

import numpy as np


def layer_norm(x, gamma, beta, eps):
    mean_square = np.mean(x**2, axis=-1, keepdims=True)
    return gamma * x / np.sqrt(mean_square + eps) + beta
