import math

import numpy as np


def attend(query, keys, values):
    scores = [sum(a * b for a, b in zip(query, key)) / math.sqrt(len(query)) for key in keys]
    largest = max(scores)
    weights = [math.exp(score - largest) for score in scores]
    total = math.fsum(weights)
    return [sum(w * value[c] for w, value in zip(weights, values)) / total for c in range(len(values[0]))]


def attention(q, k, v):
    if q.ndim > 2:
        return np.stack([attention(*one) for one in zip(q, k, v)])
    return np.array([attend(query, k.tolist(), v.tolist()) for query in q.tolist()])
