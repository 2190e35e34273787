"""You return the *logarithms* of the weights, as `log_softmax` does. That has its uses in training; here, the weights
themselves are asked for: take `np.exp` of what you have."""

import numpy as np


def softmax(x, axis):
    shifted = x - x.max(axis=axis, keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(axis=axis, keepdims=True))
