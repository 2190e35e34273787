"""Your output is right, but `q /= …` scales the array you were given, and the caller finds other queries in it
afterwards.

Write `q = q / …`, or scale the scores.
"""

import numpy as np


def softmax(x, axis):
    exponentials = np.exp(x - x.max(axis=axis, keepdims=True))
    return exponentials / exponentials.sum(axis=axis, keepdims=True)


def attention(q, k, v):
    q /= np.sqrt(q.shape[-1])
    return softmax(q @ np.swapaxes(k, -1, -2), -1) @ v
