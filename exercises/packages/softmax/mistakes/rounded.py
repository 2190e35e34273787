"""Your weights are rounded, so they no longer add up to 1.

Return what you have computed. The examples in the statement are rounded only for reading.
"""

import numpy as np


def softmax(x, axis):
    exponentials = np.exp(x - x.max(axis=axis, keepdims=True))
    return np.round(exponentials / exponentials.sum(axis=axis, keepdims=True), 3)
