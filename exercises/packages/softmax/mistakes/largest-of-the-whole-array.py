"""You subtract the largest logit of the *whole array*. In a line whose logits lie far below it, every exponential is
0, and 0 divided by 0 is NaN.

Subtract each line's own largest logit: `x.max(axis=axis, keepdims=True)`.
"""

import numpy as np


def softmax(x, axis):
    exponentials = np.exp(x - np.max(x))
    return exponentials / exponentials.sum(axis=axis, keepdims=True)
