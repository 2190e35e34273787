"""You take one mean and one variance of the whole array. Every vector along the last axis has its own.

Give `mean` and `var` an axis, `axis=-1`, with `keepdims=True`.
"""

import numpy as np


def layer_norm(x, gamma, beta, eps):
    return gamma * (x - x.mean()) / np.sqrt(x.var() + eps) + beta
