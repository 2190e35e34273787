# Keys are scaled in place.
import numpy as np


def softmax(x, axis):
    exponentials = np.exp(x - x.max(axis=axis, keepdims=True))
    return exponentials / exponentials.sum(axis=axis, keepdims=True)


def attention(q, k, v):
    k /= np.sqrt(k.shape[-1])
    scores = q @ np.swapaxes(k, -1, -2)
    return softmax(scores, axis=-1) @ v
