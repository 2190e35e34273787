# The spread is the mean absolute deviation.
import numpy as np


def layer_norm(x, gamma, beta, eps):
    mean = x.mean(axis=-1, keepdims=True)
    variance = np.abs(x - mean).mean(axis=-1, keepdims=True) ** 2
    return gamma * (x - mean) / np.sqrt(variance + eps) + beta
