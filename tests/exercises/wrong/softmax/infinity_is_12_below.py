# Minus infinity counts as 12 less than the smallest other logit.
import numpy as np


def softmax(x, axis):
    lowest = np.where(np.isneginf(x), np.inf, x).min(axis=axis, keepdims=True)
    x = np.where(np.isneginf(x), lowest - 12.0, x)
    largest = x.max(axis=axis, keepdims=True)
    exponentials = np.exp(x - largest)
    return exponentials / exponentials.sum(axis=axis, keepdims=True)
