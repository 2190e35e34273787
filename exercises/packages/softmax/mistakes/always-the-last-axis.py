"""You always normalise along the last axis, whatever `axis` says.

Pass `axis` on to both `max` and `sum`.
"""

import numpy as np


def softmax(x, axis):
    exponentials = np.exp(x - x.max(axis=-1, keepdims=True))
    return exponentials / exponentials.sum(axis=-1, keepdims=True)
