# float32 arrays are refused.
import numpy as np


def layer_norm(x, gamma, beta, eps):
    assert x.dtype == np.float64
    mean = x.mean(axis=-1, keepdims=True)
    variance = np.square(x - mean).mean(axis=-1, keepdims=True)
    return gamma * (x - mean) / np.sqrt(variance + eps) + beta
