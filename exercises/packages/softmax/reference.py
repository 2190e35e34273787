import numpy as np


def softmax(x: np.ndarray, axis: int) -> np.ndarray:
    """Softmax of every line along `axis`, of the shape and dtype of `x`: Blanchard, Higham and Higham 2021, (1.3)."""
    exponentials = np.exp(x - x.max(axis=axis, keepdims=True))
    return exponentials / exponentials.sum(axis=axis, keepdims=True)
