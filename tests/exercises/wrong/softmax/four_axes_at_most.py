# Five axes are refused.
import numpy as np


def softmax(x, axis):
    if x.ndim > 4:
        raise ValueError('too many axes')
    largest = x.max(axis=axis, keepdims=True)
    exponentials = np.exp(x - largest)
    return exponentials / exponentials.sum(axis=axis, keepdims=True)
