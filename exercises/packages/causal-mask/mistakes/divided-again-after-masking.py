"""You mask after the softmax and divide by the sum once more. On paper that is the same, but if a *masked* score is
far above the allowed ones, it first takes all the weight, and what is left to divide is 0.

Mask the scores, before the softmax.
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
    weights = np.where(allowed, softmax(q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1]), -1), 0.0)
    total = weights.sum(axis=-1, keepdims=True)
    return weights / np.where(total == 0.0, 1.0, total) @ v
