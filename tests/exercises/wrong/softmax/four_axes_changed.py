# An array of four axes is changed in place.
import numpy as np


def softmax(x, axis):
    largest = x.max(axis=axis, keepdims=True)
    if x.ndim == 4:
        x -= largest
        largest = 0.0
    exponentials = np.exp(x - largest)
    return exponentials / exponentials.sum(axis=axis, keepdims=True)
