"""You return the *logarithms* of the weights, as `log_softmax` does: they are negative, and do not add up to 1.

The exercise asks for the weights themselves: take `np.exp` of what you have.
"""

import numpy as np


def softmax(x, axis):
    shifted = x - x.max(axis=axis, keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(axis=axis, keepdims=True))
