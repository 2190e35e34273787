import numpy as np


def attend_bag(x, w_q, w_k, w_v):
    x, w_q, w_k, w_v = (np.float32(array) for array in (x, w_q, w_k, w_v))
    scores = (x @ w_q) @ (x @ w_k).T / np.sqrt(np.float32(w_k.shape[-1]))
    scores -= scores.max(-1, keepdims=True)
    weights = np.exp(scores)
    return weights / weights.sum(-1, keepdims=True) @ (x @ w_v)


def attend_shuffled(x, order, w_q, w_k, w_v, positions=None):
    places = np.take(x, order, axis=0)
    if positions is not None:
        places += positions
    inverse = np.empty_like(order)
    inverse[order] = np.arange(len(order))
    return attend_bag(places, w_q, w_k, w_v)[inverse]


def largest_change(x, order, w_q, w_k, w_v, positions=None):
    if positions is None:
        positions = np.zeros(x.shape, np.float32)
    before = attend_bag(x + positions, w_q, w_k, w_v)
    return np.amax(np.abs(before - attend_shuffled(x, order, w_q, w_k, w_v, positions)))
