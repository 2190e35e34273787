# Powers of 2 instead of powers of e.
import numpy as np


def softmax(x, axis):
    largest = x.max(axis=axis, keepdims=True)
    exponentials = np.exp2(x - largest)
    return exponentials / exponentials.sum(axis=axis, keepdims=True)
