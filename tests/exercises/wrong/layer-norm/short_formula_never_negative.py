# The short formula for the variance, with what is negative made 0.
import numpy as np


def layer_norm(x, gamma, beta, eps):
    mean = x.mean(axis=-1, keepdims=True)
    variance = np.maximum(np.square(x).mean(axis=-1, keepdims=True) - mean**2, 0)
    return gamma * (x - mean) / np.sqrt(variance + eps) + beta
