import numpy as np


def softmax(x, axis):
    exponentials = np.exp(x - x.max(axis=axis, keepdims=True))
    return exponentials / exponentials.sum(axis=axis, keepdims=True)


def causal_attention(q, k, v, padding_mask=None):
    n = q.shape[-2]
    scores = np.where(np.tri(n, dtype=bool), q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1]), -np.inf)
    output = softmax(scores, -1) @ v
    if padding_mask is not None:
        output = output * np.swapaxes(padding_mask, -1, -2)
    return output
