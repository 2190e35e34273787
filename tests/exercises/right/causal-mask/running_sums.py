import numpy as np


def causal_attention(q, k, v, padding_mask=None):
    """Key by key with a running maximum; key j reaches the rows from j on alone."""
    n = q.shape[-2]
    real = np.broadcast_to(True if padding_mask is None else padding_mask, (*q.shape[:-2], 1, n))
    largest = np.full((*q.shape[:-1], 1), -1e300)
    total, output = np.zeros_like(largest), np.zeros(v.shape)
    for j in range(n):
        rows = np.s_[..., j:, :]
        score = (q[rows] * k[..., j : j + 1, :]).sum(-1, keepdims=True) / np.sqrt(q.shape[-1])
        score = np.where(real[..., j : j + 1], score, -1e300)
        new = np.maximum(largest[rows], score)
        keep = np.exp(largest[rows] - new)
        weight = np.exp(score - new) * real[..., j : j + 1]
        total[rows] = total[rows] * keep + weight
        output[rows] = output[rows] * keep + weight * v[..., j : j + 1, :]
        largest[rows] = new
    return np.divide(output, total, out=np.zeros_like(output), where=total > 0)
