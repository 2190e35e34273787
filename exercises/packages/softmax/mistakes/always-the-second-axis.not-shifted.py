import numpy as np


def softmax(x, axis):
    exponentials = np.exp(x)
    return exponentials / np.sum(exponentials, axis=1, keepdims=True)
