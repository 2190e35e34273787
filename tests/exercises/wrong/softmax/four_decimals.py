# The weights are rounded to four decimals.
import numpy as np


def softmax(x, axis):
    largest = x.max(axis=axis, keepdims=True)
    exponentials = np.exp(x - largest)
    return np.round(exponentials / exponentials.sum(axis=axis, keepdims=True), 4)
