# The axis comes first.
import numpy as np


def softmax(axis, x):
    largest = x.max(axis=axis, keepdims=True)
    exponentials = np.exp(x - largest)
    return exponentials / exponentials.sum(axis=axis, keepdims=True)
