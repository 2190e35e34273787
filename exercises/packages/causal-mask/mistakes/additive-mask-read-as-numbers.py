"""Your mask is additive: 0 where a key is allowed, and a huge negative number where it is not. But where you use it,
you block what is 0, and so exactly the allowed keys.

Use one meaning in both places: add an additive mask to the scores, or make it boolean and choose with
`np.where(allowed, scores, …)`.
"""

import numpy as np


def softmax(x, axis):
    exponentials = np.exp(x - x.max(axis=axis, keepdims=True))
    return exponentials / exponentials.sum(axis=axis, keepdims=True)


def causal_attention(q, k, v, padding_mask=None):
    n = q.shape[-2]
    mask = np.triu(np.full((n, n), -1e9), k=1)
    if padding_mask is not None:
        mask = mask + np.where(padding_mask, 0.0, -1e9)
    scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])
    scores = np.where(mask == 0, -1e9, scores)
    return softmax(scores, -1) @ v
