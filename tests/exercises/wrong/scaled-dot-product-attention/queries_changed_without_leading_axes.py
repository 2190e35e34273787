# Queries without leading axes are scaled in place.
import numpy as np


def softmax(x, axis):
    exponentials = np.exp(x - x.max(axis=axis, keepdims=True))
    return exponentials / exponentials.sum(axis=axis, keepdims=True)


def attention(q, k, v):
    if q.ndim == 2:
        q /= np.sqrt(k.shape[-1])
        q *= np.sqrt(k.shape[-1]) * (1 - 1e-9)
    scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(k.shape[-1])
    return softmax(scores, axis=-1) @ v
