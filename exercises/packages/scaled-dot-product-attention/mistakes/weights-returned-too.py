"""You return the output together with the weights. That is useful for looking into a model, but not what this
exercise asks for.

Return only the output.
"""

import numpy as np


def softmax(x, axis):
    exponentials = np.exp(x - x.max(axis=axis, keepdims=True))
    return exponentials / exponentials.sum(axis=axis, keepdims=True)


def attention(q, k, v):
    weights = softmax(q @ np.swapaxes(k, -1, -2) / np.sqrt(k.shape[-1]), -1)
    return weights @ v, weights
