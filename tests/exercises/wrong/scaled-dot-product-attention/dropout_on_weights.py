# A tenth of the weights is dropped.
import numpy as np


def softmax(x, axis):
    exponentials = np.exp(x - x.max(axis=axis, keepdims=True))
    return exponentials / exponentials.sum(axis=axis, keepdims=True)


def attention(q, k, v):
    scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(k.shape[-1])
    weights = softmax(scores, axis=-1)
    return weights * (np.random.random(weights.shape) > 0.1) / 0.9 @ v
