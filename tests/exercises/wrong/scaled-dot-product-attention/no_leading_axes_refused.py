# Leading axes are asked for.
import numpy as np


def softmax(x, axis):
    exponentials = np.exp(x - x.max(axis=axis, keepdims=True))
    return exponentials / exponentials.sum(axis=axis, keepdims=True)


def attention(q, k, v):
    if q.ndim == 2:
        raise ValueError('a batch is needed')
    scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(k.shape[-1])
    return softmax(scores, axis=-1) @ v
