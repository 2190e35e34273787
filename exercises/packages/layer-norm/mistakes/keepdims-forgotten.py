"""Your mean and variance lose the last axis, so they do not line up with `x`: numpy stops with an error or, when the
sizes happen to fit, subtracts the mean of another row.

Keep the axis with `keepdims=True`.
"""

import numpy as np


def layer_norm(x, gamma, beta, eps):
    mean = x.mean(axis=-1)
    variance = x.var(axis=-1)
    return gamma * (x - mean) / np.sqrt(variance + eps) + beta
