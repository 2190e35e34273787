"""Your softmax runs over all scores at once, so that all weights together add up to 1.

For *each query*, its weights over the keys must add up to 1: sum along the last axis, with `keepdims=True`.
"""

import numpy as np


def softmax(x):
    exponentials = np.exp(x - np.max(x))
    return exponentials / np.sum(exponentials)


def attention(q, k, v):
    scores = np.matmul(q, np.swapaxes(k, -1, -2)) / np.sqrt(k.shape[-1])
    return np.matmul(softmax(scores), v)
