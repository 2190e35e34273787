"""Your largest logit gets the smallest weight: the exponentials have the wrong sign in their exponent.

Subtract the largest logit from the logits, `x - x.max(…)`, not the other way round.
"""

import numpy as np


def softmax(x, axis):
    exponentials = np.exp(x.max(axis=axis, keepdims=True) - x)
    return exponentials / exponentials.sum(axis=axis, keepdims=True)
