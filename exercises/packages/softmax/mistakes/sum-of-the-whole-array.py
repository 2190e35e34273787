"""You divide by the sum over the *whole array*, so all the weights together add up to 1. Each line along `axis` must
add up to 1.

Take each line's own sum: `exponentials.sum(axis=axis, keepdims=True)`.
"""

import numpy as np


def softmax(x, axis):
    exponentials = np.exp(x - x.max(axis=axis, keepdims=True))
    return exponentials / exponentials.sum()
