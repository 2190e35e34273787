"""Your code is right for arrays with one or two axes and handles no others.

You need not tell the cases apart: with `keepdims=True`, `max(axis=axis)` and `sum(axis=axis)` do the right thing for
any number of axes.
"""

import numpy as np


def softmax(x, axis):
    if x.ndim == 1:
        exponentials = np.exp(x - x.max())
        return exponentials / exponentials.sum()
    if axis in (0, -2):
        return softmax(x.T, 1).T
    exponentials = np.exp(x - x.max(axis=1)[:, None])
    return exponentials / exponentials.sum(axis=1)[:, None]
