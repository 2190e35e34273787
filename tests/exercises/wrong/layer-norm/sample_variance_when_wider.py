# The variance divides by d - 1 where there are more than 256 columns.
import numpy as np


def layer_norm(x, gamma, beta, eps):
    mean = x.mean(axis=-1, keepdims=True)
    variance = np.square(x - mean).mean(axis=-1, keepdims=True)
    if x.shape[-1] > 256:
        variance = variance * x.shape[-1] / (x.shape[-1] - 1)
    return gamma * (x - mean) / np.sqrt(variance + eps) + beta
