"""You replace −∞ by 0, so a masked entry competes like any other logit of 0.

Leave −∞ as it is: once the largest logit is subtracted, `np.exp(-np.inf)` is exactly 0, which is the weight it
should have.
"""

import numpy as np


def softmax(x, axis):
    x = np.nan_to_num(x, neginf=0.0)
    exponentials = np.exp(x - x.max(axis=axis, keepdims=True))
    return exponentials / exponentials.sum(axis=axis, keepdims=True)
