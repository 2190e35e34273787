"""You add the positions to what attention returns. There they come too late: the scores have been computed without
them.

Add them to the shuffled *embeddings*, before attending.
"""

import numpy as np


def softmax(x):
    exponentials = np.exp(x - x.max(axis=-1, keepdims=True))
    return exponentials / exponentials.sum(axis=-1, keepdims=True)


def attend_bag(x, w_q, w_k, w_v):
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    return softmax(q @ k.T / np.sqrt(q.shape[1])) @ v


def attend_shuffled(x, order, w_q, w_k, w_v, positions=None):
    attended = attend_bag(x[order], w_q, w_k, w_v)
    if positions is not None:
        attended = attended + positions
    result = np.empty_like(attended)
    result[order] = attended
    return result


def largest_change(x, order, w_q, w_k, w_v, positions=None):
    original = x if positions is None else x + positions
    before = attend_bag(original, w_q, w_k, w_v)
    after = attend_shuffled(x, order, w_q, w_k, w_v, positions)
    return np.max(np.abs(after - before))
