import numpy as np


def attend_bag(x, w_q, w_k, w_v):
    """Queries and keys take half of the scale each."""
    root = np.float32(w_k.shape[-1] ** -0.25)
    x, w_q, w_k, w_v = (np.float32(array) for array in (x, w_q, w_k, w_v))
    scores = (x @ w_q * root) @ (x @ w_k * root).T
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    return weights / weights.sum(-1, keepdims=True) @ (x @ w_v)


def attend_shuffled(x, order, w_q, w_k, w_v, positions=None):
    shuffled = x[order] if positions is None else x[order] + positions
    return attend_bag(shuffled, w_q, w_k, w_v)[np.argsort(order)]


def largest_change(x, order, w_q, w_k, w_v, positions=None):
    placed = x if positions is None else x + positions
    return float(np.abs(attend_bag(placed, w_q, w_k, w_v) - attend_shuffled(x, order, w_q, w_k, w_v, positions)).max())
