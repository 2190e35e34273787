# A negative axis is taken for its absolute value less one.
import numpy as np


def softmax(x, axis):
    axis = abs(axis) - 1 if axis < 0 else axis
    largest = x.max(axis=axis, keepdims=True)
    exponentials = np.exp(x - largest)
    return exponentials / exponentials.sum(axis=axis, keepdims=True)
