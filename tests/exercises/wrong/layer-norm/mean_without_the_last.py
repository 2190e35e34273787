# The mean leaves the last value out.
import numpy as np


def layer_norm(x, gamma, beta, eps):
    mean = x[..., : max(x.shape[-1] - 1, 1)].mean(axis=-1, keepdims=True)
    variance = np.square(x - mean).mean(axis=-1, keepdims=True)
    return gamma * (x - mean) / np.sqrt(variance + eps) + beta
