# With float32 arrays eps is 0.00001.
import numpy as np


def layer_norm(x, gamma, beta, eps):
    mean = x.mean(axis=-1, keepdims=True)
    variance = np.square(x - mean).mean(axis=-1, keepdims=True)
    if x.dtype == np.float32:
        eps = 1e-5
    return gamma * (x - mean) / np.sqrt(variance + eps) + beta
