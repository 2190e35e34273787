import numpy as np
import numpy.ma as ma


def causal_attention(q, k, v, padding_mask=None):
    n = q.shape[-2]
    hidden = ~np.tri(n, dtype=bool)
    if padding_mask is not None:
        hidden = hidden | ~padding_mask
    scores = (q[..., :, None, :] * k[..., None, :, :]).sum(axis=-1) / np.sqrt(q.shape[-1])
    scores = ma.array(scores, mask=np.broadcast_to(hidden, scores.shape))
    exponentials = ma.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = exponentials / exponentials.sum(axis=-1, keepdims=True)
    return np.asarray(weights.filled(0.0)) @ v
