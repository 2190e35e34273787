# An eps below 0.000001 counts as 0.000001.
import numpy as np


def layer_norm(x, gamma, beta, eps):
    mean = x.mean(axis=-1, keepdims=True)
    variance = np.square(x - mean).mean(axis=-1, keepdims=True)
    return gamma * (x - mean) / np.sqrt(variance + max(eps, 1e-6)) + beta
