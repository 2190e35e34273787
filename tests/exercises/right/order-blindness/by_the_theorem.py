import numpy as np


def attend_bag(x, w_q, w_k, w_v):
    q, k, v = np.einsum("nd,dk->nk", x, w_q), np.einsum("nd,dk->nk", x, w_k), np.einsum("nd,dv->nv", x, w_v)
    scores = np.einsum("qk,nk->qn", q, k) * q.shape[-1] ** -0.5
    return np.einsum("qn,nv->qv", np.exp(scores - np.logaddexp.reduce(scores, axis=1, keepdims=True)), v)


def attend_shuffled(x, order, w_q, w_k, w_v, positions=None):
    """Attention does not see the order, so the tokens may as well stay; only their positions move."""
    if positions is None:
        return attend_bag(x, w_q, w_k, w_v)
    moved = np.zeros_like(positions)
    moved[order] = positions
    return attend_bag(x + moved, w_q, w_k, w_v)


def largest_change(x, order, w_q, w_k, w_v, positions=None):
    if positions is None:
        return 0
    return np.linalg.norm(
        (attend_shuffled(x, order, w_q, w_k, w_v, positions) - attend_bag(x + positions, w_q, w_k, w_v)).ravel(), np.inf
    )
