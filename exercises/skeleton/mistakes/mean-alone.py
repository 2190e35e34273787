"""You returned the means, not what is left without them.

Subtract them from `x`."""

import numpy as np


def a_new_exercise(x):
    return np.zeros(x.shape) + x.mean(axis=1, keepdims=True)
