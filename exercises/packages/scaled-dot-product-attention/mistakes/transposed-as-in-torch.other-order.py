import numpy as np


def softmax(x, axis):
    exponentials = np.exp(x - x.max(axis=axis, keepdims=True))
    return exponentials / exponentials.sum(axis=axis, keepdims=True)


def attention(q, k, v):
    scores = q @ k.transpose(-1, -2) / np.sqrt(k.shape[-1])
    return softmax(scores, -1) @ v
