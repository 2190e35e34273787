"""Your weights are right, but you work on the array you were given, and the caller finds other numbers in it
afterwards. `x -= …` and `out=x` write into `x`.

Make a new array: `x = x - …`.
"""

import numpy as np


def softmax(x, axis):
    x -= x.max(axis=axis, keepdims=True)
    np.exp(x, out=x)
    return x / x.sum(axis=axis, keepdims=True)
