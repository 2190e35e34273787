"""Your weights are rounded, so they do not add up to 1 any more. The rounding in the statement is for reading only; return
what you have computed."""

import numpy as np


def softmax(x, axis):
    exponentials = np.exp(x - x.max(axis=axis, keepdims=True))
    return np.round(exponentials / exponentials.sum(axis=axis, keepdims=True), 3)
