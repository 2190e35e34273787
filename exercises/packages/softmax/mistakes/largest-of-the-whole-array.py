"""You subtract the largest logit of the *whole array*. A line whose logits lie far below it then has nothing but zeros
for exponentials, and 0 divided by 0 is NaN. Subtract each line's own largest logit: `x.max(axis=axis, keepdims=True)`."""

import numpy as np


def softmax(x, axis):
    exponentials = np.exp(x - np.max(x))
    return exponentials / exponentials.sum(axis=axis, keepdims=True)
