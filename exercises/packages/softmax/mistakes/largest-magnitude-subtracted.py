"""You subtract the largest *absolute* value. Logits around −1000 are pushed down to −2000, where every exponential is
0, and 0 divided by 0 is NaN.

Subtract the largest logit as it is, with its sign.
"""

import numpy as np


def softmax(x, axis):
    finite = np.where(np.isfinite(x), x, 0.0)
    exponentials = np.exp(x - np.abs(finite).max(axis=axis, keepdims=True))
    return exponentials / exponentials.sum(axis=axis, keepdims=True)
