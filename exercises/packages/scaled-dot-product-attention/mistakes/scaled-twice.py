"""You divide the scores by d_k, where the formula has its *root*: either the root is missing, or queries and keys are
both divided by √d_k.

Divide by √d_k once.
"""

import numpy as np


def softmax(x, axis):
    exponentials = np.exp(x - x.max(axis=axis, keepdims=True))
    return exponentials / exponentials.sum(axis=axis, keepdims=True)


def attention(q, k, v):
    scores = q @ np.swapaxes(k, -1, -2) / q.shape[-1]
    return softmax(scores, -1) @ v
