# Values are centred in place.
import numpy as np


def softmax(x, axis):
    exponentials = np.exp(x - x.max(axis=axis, keepdims=True))
    return exponentials / exponentials.sum(axis=axis, keepdims=True)


def attention(q, k, v):
    scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(k.shape[-1])
    mean = v.mean(axis=-2, keepdims=True)
    v -= mean
    return softmax(scores, axis=-1) @ v + mean
