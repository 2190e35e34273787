# Weights below 0.0001 are 0.
import numpy as np


def softmax(x, axis):
    largest = x.max(axis=axis, keepdims=True)
    exponentials = np.exp(x - largest)
    weights = exponentials / exponentials.sum(axis=axis, keepdims=True)
    return np.where(weights < 1e-4, 0.0, weights)
