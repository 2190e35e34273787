"""You divide by the standard deviation with d − 1, plus eps. Well-known code does that (torch's `x.std()` uses d − 1
by default), but it is not the formula.

Take the variance with d, add eps to *it*, and then take the root.
"""

import numpy as np


def layer_norm(x, gamma, beta, eps):
    mean = x.mean(axis=-1, keepdims=True)
    std = x.std(axis=-1, keepdims=True, ddof=1 if x.shape[-1] > 1 else 0)
    return gamma * (x - mean) / (std + eps) + beta
