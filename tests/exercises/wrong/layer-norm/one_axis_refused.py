# A single vector is refused.
import numpy as np


def layer_norm(x, gamma, beta, eps):
    if x.ndim == 1:
        raise ValueError('a batch is needed')
    mean = x.mean(axis=-1, keepdims=True)
    variance = np.square(x - mean).mean(axis=-1, keepdims=True)
    return gamma * (x - mean) / np.sqrt(variance + eps) + beta
