import numpy as np


def softmax(x, axis):
    exponentials = np.exp(x - x.max(axis=axis, keepdims=True))
    return exponentials / exponentials.sum(axis=axis, keepdims=True)


def causal_attention(q, k, v, padding_mask=None):
    n = q.shape[-2]
    mask = np.triu(np.full((n, n), -np.inf), k=1)
    if padding_mask is not None:
        mask = mask + np.where(padding_mask, 0.0, -np.inf)
    scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])
    scores = np.where(mask == 0, -np.inf, scores)
    return softmax(scores, -1) @ v
