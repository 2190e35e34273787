import numpy as np

# Your softmax from the exercise before goes here.


def attention(q, k, v):
    """q (..., n_queries, d_k), k (..., n_keys, d_k), v (..., n_keys, d_v): the output (..., n_queries, d_v)."""
    weights = np.zeros((*q.shape[:-1], k.shape[-2]))
    # Compare every query with every key, scale the scores, and make weights of them.
    return weights @ v
