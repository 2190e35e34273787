# The largest of all scores is subtracted, not the largest of each query.
import numpy as np


def softmax(x, axis):
    exponentials = np.exp(x - x.max())
    return exponentials / exponentials.sum(axis=axis, keepdims=True)


def attention(q, k, v):
    scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(k.shape[-1])
    return softmax(scores, axis=-1) @ v
