# In lines of more than 64 logits the rest gets nothing.
import numpy as np


def softmax(x, axis):
    largest = x.max(axis=axis, keepdims=True)
    exponentials = np.exp(x - largest)
    line = np.moveaxis(exponentials, axis, -1)
    line[..., 64:] = 0.0
    return exponentials / exponentials.sum(axis=axis, keepdims=True)
