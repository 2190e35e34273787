"""In torch, `.transpose(-2, -1)` swaps the two axes. In numpy it asks for *all* axes in their new order: with two
axes, −2 and −1 are the order they already have, so nothing is swapped; with more, it is an error.

Swap two axes with `np.swapaxes(k, -1, -2)`.
"""

import numpy as np


def softmax(x, axis):
    exponentials = np.exp(x - x.max(axis=axis, keepdims=True))
    return exponentials / exponentials.sum(axis=axis, keepdims=True)


def attention(q, k, v):
    scores = q @ k.transpose(-2, -1) / np.sqrt(k.shape[-1])
    return softmax(scores, -1) @ v
