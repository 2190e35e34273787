"""Your code handles one number of axes only: it expects exactly one batch axis in front. There may be none, one or
two.

Count axes from the end, `np.swapaxes(k, -1, -2)` and `axis=-1`; `@` does the rest.
"""

import numpy as np


def softmax(x, axis):
    exponentials = np.exp(x - x.max(axis=axis, keepdims=True))
    return exponentials / exponentials.sum(axis=axis, keepdims=True)


def attention(q, k, v):
    scores = q @ k.transpose(0, 2, 1) / np.sqrt(k.shape[2])
    return softmax(scores, 2) @ v
