"""Right until padding comes first. You *add* a huge negative number to the masked scores, and where all scores of a
query are lowered alike, the softmax is the same as without a mask: such a query attends to everything, the future
included.

A query that may attend to nothing should give zeros. Replace the masked scores instead of adding to them, and set
the weights of what is not allowed to 0 at the end: `np.where(allowed, weights, 0.0)`.
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
    scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1]) + np.where(allowed, 0.0, -1e9)
    return softmax(scores, -1) @ v
