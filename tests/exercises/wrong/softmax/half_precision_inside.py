# Exponentials are computed in float16.
import numpy as np


def softmax(x, axis):
    largest = x.max(axis=axis, keepdims=True)
    exponentials = np.exp((x - largest).astype(np.float16)).astype(float)
    return exponentials / exponentials.sum(axis=axis, keepdims=True)
