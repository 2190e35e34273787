# Only the two best keys get a weight.
import numpy as np


def softmax(x, axis):
    exponentials = np.exp(x - x.max(axis=axis, keepdims=True))
    return exponentials / exponentials.sum(axis=axis, keepdims=True)


def attention(q, k, v):
    scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(k.shape[-1])
    if scores.shape[-1] > 2:
        scores = np.where(scores < np.sort(scores, axis=-1)[..., -2:-1], -np.inf, scores)
    return softmax(scores, axis=-1) @ v
