# A negative axis is always the last.
import numpy as np


def softmax(x, axis):
    axis = max(axis, -1)
    largest = x.max(axis=axis, keepdims=True)
    exponentials = np.exp(x - largest)
    return exponentials / exponentials.sum(axis=axis, keepdims=True)
