import numpy as np


def softmax(x: np.ndarray, axis: int) -> np.ndarray:
    """Softmax of every line along `axis`, of the shape of `x`: Blanchard, Higham and Higham 2021, the shifted form."""
    exponentials = np.exp(x - x.max(axis=axis, keepdims=True))
    return exponentials / exponentials.sum(axis=axis, keepdims=True)
