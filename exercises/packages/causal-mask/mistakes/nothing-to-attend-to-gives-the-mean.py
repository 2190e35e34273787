"""Right until padding comes first: a query that may attend to nothing has the same huge negative number for all its
scores, so the softmax spreads the weight over *everything*, the future included.

Such a query should give zeros: set the weights of what is not allowed to 0 at the end, `np.where(allowed, weights,
0.0)`.
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
    scores = np.where(allowed, q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1]), -1e9)
    return softmax(scores, -1) @ v
