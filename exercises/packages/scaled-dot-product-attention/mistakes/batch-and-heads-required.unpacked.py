import numpy as np


def softmax(x, axis):
    exponentials = np.exp(x - x.max(axis=axis, keepdims=True))
    return exponentials / exponentials.sum(axis=axis, keepdims=True)


def attention(q, k, v):
    batch, heads, n_queries, d_k = q.shape
    scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(d_k)
    return softmax(scores, -1) @ v
