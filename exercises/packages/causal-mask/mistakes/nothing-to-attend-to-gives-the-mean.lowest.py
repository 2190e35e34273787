import numpy as np


def softmax(x, axis):
    exponentials = np.exp(x - x.max(axis=axis, keepdims=True))
    return exponentials / exponentials.sum(axis=axis, keepdims=True)


def causal_attention(q, k, v, padding_mask=None):
    n = q.shape[-2]
    scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])
    scores = np.where(np.tri(n, dtype=bool), scores, -1e30)
    if padding_mask is not None:
        scores = np.where(padding_mask, scores, np.finfo(scores.dtype).min)
    return softmax(scores, -1) @ v
