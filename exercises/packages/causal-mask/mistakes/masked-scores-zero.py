"""You set the masked scores to 0. But e^0 is 1: a masked key still gets its share of the weight.

Set them to −∞ (`-np.inf`) or to a huge negative number, so that the weight becomes 0.
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
    anything = allowed.any(axis=-1, keepdims=True)
    return np.where(anything, softmax(np.where(allowed, scores, 0.0), -1), 0.0) @ v
