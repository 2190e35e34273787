# The sign of the gain is lost.
import numpy as np


def layer_norm(x, gamma, beta, eps):
    mean = x.mean(axis=-1, keepdims=True)
    variance = np.square(x - mean).mean(axis=-1, keepdims=True)
    return np.abs(gamma) * (x - mean) / np.sqrt(variance + eps) + beta
