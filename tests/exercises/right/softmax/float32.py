import numpy as np


def softmax(x, axis):
    logits = x.astype(np.float32)
    logits -= logits.max(axis, keepdims=True)
    weights = np.exp(logits)
    weights *= np.reciprocal(weights.sum(axis, keepdims=True))
    return weights
