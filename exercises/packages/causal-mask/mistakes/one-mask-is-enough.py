"""You join the two masks with “or”, so a key that only one of them allows is attended to: padding in the past, real
tokens in the future.

Both must allow it: join them with “and”, `&`.
"""

import numpy as np


def softmax(x, axis):
    exponentials = np.exp(x - x.max(axis=axis, keepdims=True))
    return exponentials / exponentials.sum(axis=axis, keepdims=True)


def causal_attention(q, k, v, padding_mask=None):
    n = q.shape[-2]
    allowed = np.tri(n, dtype=bool)
    if padding_mask is not None:
        allowed = allowed | padding_mask
    scores = np.where(allowed, q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1]), -1e30)
    return np.where(allowed, softmax(scores, -1), 0.0) @ v
