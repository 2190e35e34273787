"""Your code handles one number of axes only: it expects a batch *and* heads in front. There may be none, one or two
leading axes.

Count axes from the end, `np.swapaxes(k, -1, -2)` and `axis=-1`; `@` does the rest.
"""

import numpy as np


def softmax(x, axis):
    exponentials = np.exp(x - x.max(axis=axis, keepdims=True))
    return exponentials / exponentials.sum(axis=axis, keepdims=True)


def attention(q, k, v):
    scores = np.matmul(q, k.transpose(0, 1, 3, 2)) / np.sqrt(q.shape[3])
    return np.matmul(softmax(scores, 3), v)
