import numpy as np


def causal_attention(q, k, v, padding_mask=None):
    q, k, v = q.astype(np.float32), k.astype(np.float32), v.astype(np.float32)
    n = q.shape[-2]
    allowed = np.tril(np.ones((n, n), dtype=bool))
    if padding_mask is not None:
        allowed = np.logical_and(allowed, padding_mask)
    scores = np.matmul(q, k.swapaxes(-2, -1)) / np.sqrt(np.float32(k.shape[-1]))
    scores = np.where(allowed, scores, np.float32(-1e9))
    weights = np.exp(scores - scores.max(-1, keepdims=True)) * allowed
    return (weights / (weights.sum(-1, keepdims=True) + np.float32(1e-20))) @ v
