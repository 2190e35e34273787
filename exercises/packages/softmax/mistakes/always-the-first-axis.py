"""You always normalise along axis 0, whatever `axis` says. Hand `axis` on to both `max` and `sum`."""

import numpy as np


def softmax(x, axis):
    exponentials = np.exp(x - np.max(x, axis=0))
    return exponentials / np.sum(exponentials, axis=0)
