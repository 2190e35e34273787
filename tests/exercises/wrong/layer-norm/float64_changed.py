# A float64 array is changed in place.
import numpy as np


def layer_norm(x, gamma, beta, eps):
    mean = x.mean(axis=-1, keepdims=True)
    variance = np.square(x - mean).mean(axis=-1, keepdims=True)
    if x.dtype == np.float64:
        x -= mean
        mean = 0
    return gamma * (x - mean) / np.sqrt(variance + eps) + beta
