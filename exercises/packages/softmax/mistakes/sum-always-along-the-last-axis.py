"""You look for the largest logit along `axis`, but sum along the last axis: the weights of a line along `axis` do not
add up to 1.

Pass `axis` on to `sum` as well.
"""

import numpy as np


def softmax(x, axis):
    exponentials = np.exp(x - x.max(axis=axis, keepdims=True))
    return exponentials / exponentials.sum(axis=-1, keepdims=True)
