"""You divide the logits themselves by their sum: a negative logit gets a negative weight.

The exponential is missing; it makes every weight positive. Take `np.exp` first, then divide by the sum.
"""

import numpy as np


def softmax(x, axis):
    return x / x.sum(axis=axis, keepdims=True)
