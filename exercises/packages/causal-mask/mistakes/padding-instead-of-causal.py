"""As soon as there is a padding mask, you forget the causal one, and tokens see the future again.

The causal mask holds always; the padding mask comes on top of it: `np.tri(n, dtype=bool) & padding_mask`.
"""

import numpy as np


def softmax(x, axis):
    exponentials = np.exp(x - x.max(axis=axis, keepdims=True))
    return exponentials / exponentials.sum(axis=axis, keepdims=True)


def causal_attention(q, k, v, padding_mask=None):
    n = q.shape[-2]
    if padding_mask is None:
        allowed = np.tri(n, dtype=bool)
    else:
        allowed = padding_mask
    scores = np.where(allowed, q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1]), -1e30)
    return np.where(allowed, softmax(scores, -1), 0.0) @ v
