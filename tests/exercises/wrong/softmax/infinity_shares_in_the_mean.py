# A line with several logits of minus infinity gives each a little.
import numpy as np


def softmax(x, axis):
    largest = x.max(axis=axis, keepdims=True)
    exponentials = np.exp(x - largest)
    masked = np.isneginf(x)
    many = masked.sum(axis=axis, keepdims=True) > 1
    weights = exponentials / exponentials.sum(axis=axis, keepdims=True)
    return np.where(masked & many, 1e-3, weights)
