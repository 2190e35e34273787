"""You take `positions` but never use them, so your measurement is always 0.

Add them after the shuffling, and in the measurement to the original sentence as well.
"""

import numpy as np


def softmax(x):
    exponentials = np.exp(x - x.max(axis=-1, keepdims=True))
    return exponentials / exponentials.sum(axis=-1, keepdims=True)


def attend_bag(x, w_q, w_k, w_v):
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    return softmax(q @ k.T / np.sqrt(q.shape[1])) @ v


def attend_shuffled(x, order, w_q, w_k, w_v, positions=None):
    result = np.empty((len(x), w_v.shape[1]))
    result[order] = attend_bag(x[order], w_q, w_k, w_v)
    return result


def largest_change(x, order, w_q, w_k, w_v, positions=None):
    before = attend_bag(x, w_q, w_k, w_v)
    return np.max(np.abs(attend_shuffled(x, order, w_q, w_k, w_v) - before))
