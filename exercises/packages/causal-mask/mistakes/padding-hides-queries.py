"""You laid the padding mask along the *queries*: padded tokens see nothing, but everybody sees them.

The mask's last axis stands for the keys; as it comes, `(..., 1, n)`, it broadcasts the right way.
"""

import numpy as np


def softmax(x, axis):
    exponentials = np.exp(x - x.max(axis=axis, keepdims=True))
    return exponentials / exponentials.sum(axis=axis, keepdims=True)


def causal_attention(q, k, v, padding_mask=None):
    n = q.shape[-2]
    allowed = np.tri(n, dtype=bool)
    if padding_mask is not None:
        allowed = allowed & np.swapaxes(padding_mask, -1, -2)
    scores = np.where(allowed, q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1]), -1e30)
    return np.where(allowed, softmax(scores, -1), 0.0) @ v
