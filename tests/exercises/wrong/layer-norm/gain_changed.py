# The gain is changed in place.
import numpy as np


def layer_norm(x, gamma, beta, eps):
    mean = x.mean(axis=-1, keepdims=True)
    variance = np.square(x - mean).mean(axis=-1, keepdims=True)
    gamma /= 1.0
    gamma *= 2.0
    return gamma / 2.0 * (x - mean) / np.sqrt(variance + eps) + beta
