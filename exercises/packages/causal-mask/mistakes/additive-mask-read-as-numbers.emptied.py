import numpy as np


def softmax(x, axis):
    exponentials = np.exp(x - x.max(axis=axis, keepdims=True))
    return exponentials / exponentials.sum(axis=axis, keepdims=True)


def causal_attention(q, k, v, padding_mask=None):
    n = q.shape[-2]
    mask = np.triu(np.full((n, n), -1e9), k=1)
    if padding_mask is not None:
        mask = np.where(padding_mask, mask, -1e9)
    scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])
    weights = softmax(np.where(mask == 0, -1e9, scores), -1)
    return np.where(mask == 0, 0.0, weights) @ v
