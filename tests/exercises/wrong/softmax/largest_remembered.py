# The largest logits are remembered by shape, and the exponentials overflow.
import numpy as np

LARGEST = {}


def softmax(x, axis):
    largest = LARGEST.setdefault((x.shape, axis), x.max(axis=axis, keepdims=True))
    exponentials = np.exp(x - largest)
    return exponentials / exponentials.sum(axis=axis, keepdims=True)
