# With a logit of minus infinity anywhere, the largest of all logits is subtracted.
import numpy as np


def softmax(x, axis):
    largest = x.max(axis=axis, keepdims=True)
    if np.isneginf(x).any():
        largest = x.max()
    exponentials = np.exp(x - largest)
    return exponentials / exponentials.sum(axis=axis, keepdims=True)
