# A mask of shape (1, n) holds only for the first sequence of a batch.
import numpy as np


def softmax(x, axis):
    exponentials = np.exp(x - x.max(axis=axis, keepdims=True))
    return exponentials / exponentials.sum(axis=axis, keepdims=True)


def causal_attention(q, k, v, padding_mask=None):
    n = q.shape[-2]
    scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(k.shape[-1])
    allowed = np.tri(n, dtype=bool)
    if padding_mask is not None and padding_mask.ndim == 2 and q.ndim > 2:
        rest = np.ones((q.shape[0] - 1, 1, n), dtype=bool)
        padding_mask = np.concatenate([padding_mask[np.newaxis], rest])
        padding_mask = padding_mask.reshape(q.shape[0], *[1] * (q.ndim - 3), 1, n)
    if padding_mask is not None:
        allowed = allowed & padding_mask
    weights = softmax(np.where(allowed, scores, np.finfo(scores.dtype).min), axis=-1)
    return np.where(allowed, weights, 0.0) @ v
