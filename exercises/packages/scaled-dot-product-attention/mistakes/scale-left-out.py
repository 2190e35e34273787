"""The scores are not scaled. Wide vectors then make scores so large that the softmax gives nearly everything to one
key.

Divide the scores by √d_k before the softmax.
"""

import numpy as np


def softmax(x, axis):
    exponentials = np.exp(x - x.max(axis=axis, keepdims=True))
    return exponentials / exponentials.sum(axis=axis, keepdims=True)


def attention(q, k, v):
    scores = q @ np.swapaxes(k, -1, -2)
    return softmax(scores, -1) @ v
