import numpy as np

# Your softmax goes here, and what you want to keep of your attention.


def causal_attention(q, k, v, padding_mask=None):
    """q, k (..., n, d_k), v (..., n, d_v): (..., n, d_v). In padding_mask (..., 1, n), True is a real token."""
    n = q.shape[-2]
    allowed = np.zeros((n, n), dtype=bool)
    # Say which query may attend to which key, then attend.
    return np.zeros(v.shape)
