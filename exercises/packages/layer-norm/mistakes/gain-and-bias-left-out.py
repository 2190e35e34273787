"""You return the normalised vector as it is: `gamma` and `beta` have no effect.

Two steps are left: multiply by the gain `gamma`, then add the bias `beta`.
"""

import numpy as np


def layer_norm(x, gamma, beta, eps):
    mean = x.mean(axis=-1, keepdims=True)
    variance = x.var(axis=-1, keepdims=True)
    return (x - mean) / np.sqrt(variance + eps)
