import numpy as np


def softmax(x, axis):
    exponentials = np.exp(x - x.max(axis=axis, keepdims=True))
    return exponentials / exponentials.sum(axis=axis, keepdims=True)


def causal_attention(q, k, v, padding_mask=None):
    n = q.shape[-2]
    scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])
    scores = scores + np.triu(np.ones((n, n)), k=1) * -1e9
    if padding_mask is not None:
        scores = scores + (1.0 - padding_mask) * -1e9
    return softmax(scores, -1) @ v
