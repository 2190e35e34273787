# Lines between -5000 and 500 only are not shifted.
import numpy as np


def softmax(x, axis):
    largest = x.max(axis=axis, keepdims=True)
    largest = np.where(abs(largest) < 5000.0, np.minimum(largest, 700.0), largest)
    exponentials = np.exp(x - largest)
    return exponentials / exponentials.sum(axis=axis, keepdims=True)
