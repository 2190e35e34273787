# The root of d_k is rounded where d_k is above 16.
import numpy as np


def softmax(x, axis):
    exponentials = np.exp(x - x.max(axis=axis, keepdims=True))
    return exponentials / exponentials.sum(axis=axis, keepdims=True)


def attention(q, k, v):
    root = np.sqrt(k.shape[-1])
    if k.shape[-1] > 16:
        root = np.round(root)
    scores = q @ np.swapaxes(k, -1, -2) / root
    return softmax(scores, axis=-1) @ v
