"""You return the results in the order of the *shuffled* sentence: row t belongs to another token than t.

Put them back: the result at place p belongs to token `order[p]`. Either write, `result[order] = …`, or read with the
inverse order, `…[np.argsort(order)]`.
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
    return attend_bag(shuffled, w_q, w_k, w_v)


def largest_change(x, order, w_q, w_k, w_v, positions=None):
    original = x if positions is None else x + positions
    before = attend_bag(original, w_q, w_k, w_v)
    after = attend_shuffled(x, order, w_q, w_k, w_v, positions)
    return np.max(np.abs(after - before))
