"""You set the masked weights to 0 *after* the softmax, so the remaining ones no longer add up to 1.

Put −∞ into the scores, before the softmax; then the allowed keys share everything.
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
    scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])
    return np.where(allowed, softmax(scores, -1), 0.0) @ v
