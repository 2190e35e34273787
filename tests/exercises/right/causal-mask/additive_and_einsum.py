import numpy as np


def causal_attention(q, k, v, padding_mask=None):
    """Blocks above the diagonal with triu; rows without keys are put right at the end."""
    n = q.shape[-2]
    blocked = np.triu(np.ones((n, n), dtype=bool), k=1)
    if padding_mask is not None:
        blocked = np.logical_or(blocked, np.logical_not(padding_mask))
    bias = np.zeros(blocked.shape)
    bias[blocked] = -1e9
    scores = np.einsum("...id,...jd->...ij", q, k) / q.shape[-1] ** 0.5 + bias
    scores = scores - scores.max(axis=-1, keepdims=True)
    weights = np.exp(scores)
    weights = weights / weights.sum(axis=-1, keepdims=True)
    output = np.einsum("...ij,...jd->...id", weights, v)
    output[np.broadcast_to(blocked.all(axis=-1), output.shape[:-1])] = 0.0
    return output
