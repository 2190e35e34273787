"""Your measurement compares what stands at the same *place* before and after, and so two different tokens.

Compare each token with itself: use `attend_shuffled`, which has put the results back.
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
    original, shuffled = x, x[order]
    if positions is not None:
        original, shuffled = original + positions, shuffled + positions
    return np.max(np.abs(attend_bag(shuffled, w_q, w_k, w_v) - attend_bag(original, w_q, w_k, w_v)))
