import numpy as np


def softmax(x: np.ndarray, axis: int) -> np.ndarray:
    """Softmax of every line along `axis`, of the shape of `x`."""
    exponentials = np.exp(x - x.max(axis=axis, keepdims=True))
    return exponentials / exponentials.sum(axis=axis, keepdims=True)


def attention(q: np.ndarray, k: np.ndarray, v: np.ndarray) -> np.ndarray:
    """(..., n, d_k), (..., m, d_k), (..., m, d_v) → (..., n, d_v): Vaswani et al. 2017, section 3.2.1."""
    scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(k.shape[-1])
    return softmax(scores, axis=-1) @ v
