# The logarithm of the sum in float32: no digits are left beside 100,000.
import numpy as np


def softmax(x, axis):
    largest = x.max(axis=axis, keepdims=True)
    exponentials = np.exp(x - largest)
    x = x.astype(np.float32)
    total = largest.astype(np.float32) + np.log(exponentials.sum(axis=axis, keepdims=True)).astype(np.float32)
    return np.exp(x - total)
