# The values are cut to the width of the keys.
import numpy as np


def softmax(x, axis):
    exponentials = np.exp(x - x.max(axis=axis, keepdims=True))
    return exponentials / exponentials.sum(axis=axis, keepdims=True)


def causal_attention(q, k, v, padding_mask=None):
    n = q.shape[-2]
    scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(k.shape[-1])
    allowed = np.tri(n, dtype=bool)
    if padding_mask is not None:
        allowed = allowed & padding_mask
    weights = softmax(np.where(allowed, scores, np.finfo(scores.dtype).min), axis=-1)
    return np.where(allowed, weights, 0.0) @ v[..., : k.shape[-1]]
