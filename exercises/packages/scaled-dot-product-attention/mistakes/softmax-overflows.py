"""Right as long as the scores are small. A score in the thousands makes `np.exp` infinite, and infinity divided by
infinity is NaN.

Subtract each query's largest score first, as in the exercise on softmax.
"""

import numpy as np


def attention(q, k, v):
    exponentials = np.exp(q @ np.swapaxes(k, -1, -2) / np.sqrt(k.shape[-1]))
    return exponentials / exponentials.sum(axis=-1, keepdims=True) @ v
