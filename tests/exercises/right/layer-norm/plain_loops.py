import math

import numpy as np


def layer_norm(x, gamma, beta, eps):
    """Number by number, in Python's own arithmetic."""
    vectors = x.reshape(-1, x.shape[-1])
    result = np.empty(vectors.shape)
    for i, vector in enumerate(vectors):
        mean = sum(float(value) for value in vector) / len(vector)
        variance = sum((float(value) - mean) ** 2 for value in vector) / len(vector)
        for j, value in enumerate(vector):
            result[i, j] = gamma[j] * ((value - mean) / math.sqrt(variance + eps)) + beta[j]
    return result.reshape(x.shape)
