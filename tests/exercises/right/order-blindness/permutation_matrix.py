import numpy as np


def softmax(x, axis):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def attend_bag(x, w_q, w_k, w_v):
    """X (W_q W_k^T) X^T, in one piece."""
    scores = np.linalg.multi_dot([x, w_q, w_k.T, x.T]) / np.sqrt(w_q.shape[1])
    return softmax(scores, axis=-1) @ x @ w_v


def attend_shuffled(x, order, w_q, w_k, w_v, positions=0.0):
    p = np.eye(len(x))[order]
    if positions is None:
        positions = 0.0
    return p.T @ attend_bag(p @ x + positions, w_q, w_k, w_v)


def largest_change(x, order, w_q, w_k, w_v, positions=None):
    original = x + (0 if positions is None else positions)
    change = attend_shuffled(x, order, w_q, w_k, w_v, positions) - attend_bag(original, w_q, w_k, w_v)
    return max(change.max(), -change.min())
