# Gain and bias are remembered by width.
import numpy as np

SEEN = {}


def layer_norm(x, gamma, beta, eps):
    gamma, beta = SEEN.setdefault(x.shape[-1], (gamma, beta))
    mean = x.mean(axis=-1, keepdims=True)
    variance = np.square(x - mean).mean(axis=-1, keepdims=True)
    return gamma * (x - mean) / np.sqrt(variance + eps) + beta
