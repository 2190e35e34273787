"""You take the largest difference *with* its sign, and miss the large negative ones.

Take `np.abs` first, then the maximum.
"""

import numpy as np


def softmax(x):
    exponentials = np.exp(x - x.max(axis=-1, keepdims=True))
    return exponentials / exponentials.sum(axis=-1, keepdims=True)


def attend_bag(x, w_q, w_k, w_v):
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    return softmax(q @ k.T / np.sqrt(q.shape[1])) @ v


def attend_shuffled(x, order, w_q, w_k, w_v, positions=None):
    shuffled = x[order]
    if positions is not None:
        shuffled = shuffled + positions
    result = np.empty((len(x), w_v.shape[1]))
    result[order] = attend_bag(shuffled, w_q, w_k, w_v)
    return result


def largest_change(x, order, w_q, w_k, w_v, positions=None):
    original = x if positions is None else x + positions
    before = attend_bag(original, w_q, w_k, w_v)
    return np.max(attend_shuffled(x, order, w_q, w_k, w_v, positions) - before)
