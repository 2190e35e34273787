# The weights of a line add up to 1, but some are negative.
import numpy as np


def softmax(x, axis):
    largest = x.max(axis=axis, keepdims=True)
    exponentials = np.exp(x - largest)
    return 1.5 * exponentials / exponentials.sum(axis=axis, keepdims=True) - 0.5 / x.shape[axis]
