import numpy as np


def attention(q, k, v):
    d_k = q.shape[1]
    scores = q @ k.T / np.sqrt(d_k)
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    weights = weights / weights.sum(axis=1, keepdims=True)
    return weights @ v
