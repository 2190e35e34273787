# Where one query may attend to nothing, the whole sequence gives zeros.
import numpy as np


def softmax(x, axis):
    exponentials = np.exp(x - x.max(axis=axis, keepdims=True))
    return exponentials / exponentials.sum(axis=axis, keepdims=True)


def causal_attention(q, k, v, padding_mask=None):
    n = q.shape[-2]
    scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(k.shape[-1])
    allowed = np.tri(n, dtype=bool)
    if padding_mask is not None:
        allowed = allowed & padding_mask
    weights = softmax(np.where(allowed, scores, np.finfo(scores.dtype).min), axis=-1)
    everywhere = np.broadcast_to(allowed, scores.shape).any(axis=-1, keepdims=True).all(axis=-2, keepdims=True)
    output = np.where(allowed, weights, 0.0) @ v
    return np.where(everywhere, output, 0.0)
