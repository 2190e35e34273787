"""You give the masked scores −10000, or lower them by that much. That is too little where scores are that large
themselves: a masked key can still win.

Replace the masked scores by −∞, or by the lowest number there is, `np.finfo(scores.dtype).min`.
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
    scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1]) - 10000.0 * ~allowed
    anything = allowed.any(axis=-1, keepdims=True)
    return np.where(anything, softmax(scores, -1), 0.0) @ v
