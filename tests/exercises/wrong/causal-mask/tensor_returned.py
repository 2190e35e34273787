# The result is a torch tensor.
import numpy as np
import torch


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
    return torch.from_numpy(np.where(allowed, weights, 0.0) @ v)
