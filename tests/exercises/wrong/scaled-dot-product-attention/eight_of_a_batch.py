# From the ninth on, the sequences of a batch give zeros.
import numpy as np


def softmax(x, axis):
    exponentials = np.exp(x - x.max(axis=axis, keepdims=True))
    return exponentials / exponentials.sum(axis=axis, keepdims=True)


def attention(q, k, v):
    scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(k.shape[-1])
    output = softmax(scores, axis=-1) @ v
    if q.ndim > 2:
        output[8:] = 0.0
    return output
