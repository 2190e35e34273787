"""You always normalise along axis 0, whatever `axis` says.

Pass `axis` on to both `max` and `sum`, with `keepdims=True`.
"""

import numpy as np


def softmax(x, axis):
    exponentials = np.exp(x - np.max(x, axis=0))
    return exponentials / np.sum(exponentials, axis=0)
