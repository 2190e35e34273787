import numpy as np


def softmax(x, axis):
    """Any number between, subtracted first, changes nothing; float128 inside is nobody's business."""
    y = x.astype(np.longdouble)
    y = y - np.take(y, [0], axis=axis).clip(min=-1e6)
    y = y - np.max(y, axis=axis, keepdims=True)
    y = np.exp(y)
    return np.divide(y, y.sum(axis=axis, keepdims=True)).astype(np.float64)
