import numpy as np


def layer_norm(x, gamma, beta, eps):
    """The short formula for the variance, where float64 has digits to spare."""
    x = x.astype(np.float64)
    mean = (x.sum(-1) / x.shape[-1])[..., np.newaxis]
    variance = (x * x).mean(-1, keepdims=True) - mean * mean
    return gamma * (x - mean) / np.sqrt(np.maximum(variance, 0) + eps) + beta
