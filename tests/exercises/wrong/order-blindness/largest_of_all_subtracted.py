# The largest of all scores is subtracted, not the largest of a row: nothing may be left of the others.
import numpy as np


def softmax(x: np.ndarray) -> np.ndarray:
    """Softmax of every row."""
    exponentials = np.exp(x - x.max())
    return exponentials / exponentials.sum(axis=1, keepdims=True)


def attend_bag(x: np.ndarray, w_q: np.ndarray, w_k: np.ndarray, w_v: np.ndarray) -> np.ndarray:
    """Self-attention of the rows of `x`: (n, d_model) → (n, d_v)."""
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    return softmax(q @ k.T / np.sqrt(q.shape[1])) @ v


def attend_shuffled(
    x: np.ndarray,
    order: np.ndarray,
    w_q: np.ndarray,
    w_k: np.ndarray,
    w_v: np.ndarray,
    positions: np.ndarray | None = None,
) -> np.ndarray:
    """Shuffle tokens, add positions to places, attend, and give each token its own row back: (n, d_v)."""
    shuffled = x[order]
    if positions is not None:
        shuffled = shuffled + positions
    return attend_bag(shuffled, w_q, w_k, w_v)[np.argsort(order)]


def largest_change(
    x: np.ndarray,
    order: np.ndarray,
    w_q: np.ndarray,
    w_k: np.ndarray,
    w_v: np.ndarray,
    positions: np.ndarray | None = None,
) -> np.floating:
    """The largest absolute difference between any token's results in the two orders."""
    original = x if positions is None else x + positions
    change = attend_bag(original, w_q, w_k, w_v) - attend_shuffled(x, order, w_q, w_k, w_v, positions)
    return np.abs(change).max()
