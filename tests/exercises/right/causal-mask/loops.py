import math

import numpy as np


def attend(query, keys, values, width):
    """One query and the keys that it may see, in plain Python."""
    if not keys:
        return [0.0] * width
    scores = [math.fsum(a * b for a, b in zip(query, key)) / math.sqrt(len(query)) for key in keys]
    largest = max(scores)
    weights = [math.exp(score - largest) for score in scores]
    return [math.fsum(w * value[c] for w, value in zip(weights, values)) / math.fsum(weights) for c in range(width)]


def causal_attention(q, k, v, padding_mask=None):
    n = q.shape[-2]
    if padding_mask is None:
        padding_mask = np.ones((1, n), dtype=bool)
    if q.ndim > 2:
        masks = np.broadcast_to(padding_mask, (*q.shape[:-2], 1, n))
        return np.stack([causal_attention(*one) for one in zip(q, k, v, masks)])
    rows = []
    for i in range(n):
        seen = [j for j in range(i + 1) if padding_mask[0, j]]
        rows.append(attend(list(q[i]), [list(k[j]) for j in seen], [list(v[j]) for j in seen], v.shape[-1]))
    return np.array(rows)
