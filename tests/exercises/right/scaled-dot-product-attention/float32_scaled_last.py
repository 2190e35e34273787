import numpy as np


def attention(q, k, v):
    """Normalises after mixing, as the fast kernels do."""
    q, k, v = q.astype("float32"), k.astype("float32"), v.astype("float32")
    scores = (q[..., :, None, :] * k[..., None, :, :]).sum(-1) / np.sqrt(np.float32(k.shape[-1]))
    weights = np.exp(scores - scores.max(-1)[..., None])
    return (weights @ v) / weights.sum(-1)[..., None]
