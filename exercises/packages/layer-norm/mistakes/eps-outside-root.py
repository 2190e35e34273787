"""You take the root first and add eps to it afterwards. The difference is largest where the values of a vector hardly
differ.

In the formula eps stands *inside* the root, next to the variance: `np.sqrt(variance + eps)`.
"""

import numpy as np


def layer_norm(x, gamma, beta, eps):
    mean = x.mean(axis=-1, keepdims=True)
    std = x.std(axis=-1, keepdims=True)
    return gamma * (x - mean) / (std + eps) + beta
