# An array of one axis comes back as a row.
import numpy as np


def softmax(x, axis):
    largest = x.max(axis=axis, keepdims=True)
    exponentials = np.exp(x - largest)
    return np.atleast_2d(exponentials / exponentials.sum(axis=axis, keepdims=True))
