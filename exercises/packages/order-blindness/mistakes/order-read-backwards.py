"""You send token t to place `order[t]`; the statement has it the other way round. Without positions you do not
notice; with them the tokens get the wrong ones.

Place p *holds* token `order[p]`, so the shuffled sentence is `x[order]`.
"""

import numpy as np


def softmax(x):
    exponentials = np.exp(x - x.max(axis=-1, keepdims=True))
    return exponentials / exponentials.sum(axis=-1, keepdims=True)


def attend_bag(x, w_q, w_k, w_v):
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    return softmax(q @ k.T / np.sqrt(q.shape[1])) @ v


def attend_shuffled(x, order, w_q, w_k, w_v, positions=None):
    shuffled = np.empty_like(x)
    shuffled[order] = x
    if positions is not None:
        shuffled = shuffled + positions
    return attend_bag(shuffled, w_q, w_k, w_v)[order]


def largest_change(x, order, w_q, w_k, w_v, positions=None):
    original = x if positions is None else x + positions
    before = attend_bag(original, w_q, w_k, w_v)
    after = attend_shuffled(x, order, w_q, w_k, w_v, positions)
    return np.max(np.abs(after - before))
