"""You return the exponentials, which do not add up to 1 yet.

Divide them by their sum along `axis`.
"""

import numpy as np


def softmax(x, axis):
    return np.exp(x - x.max(axis=axis, keepdims=True))
