# A batch shares the mean of its keys.
import numpy as np


def softmax(x, axis):
    exponentials = np.exp(x - x.max(axis=axis, keepdims=True))
    return exponentials / exponentials.sum(axis=axis, keepdims=True)


def attention(q, k, v):
    scores = q @ np.swapaxes(k + 0.01 * k.mean(axis=0) if k.ndim > 2 else k, -1, -2) / np.sqrt(k.shape[-1])
    return softmax(scores, axis=-1) @ v
