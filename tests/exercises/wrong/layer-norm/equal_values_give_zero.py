# A vector of equal values gives zeros, without the bias.
import numpy as np


def layer_norm(x, gamma, beta, eps):
    mean = x.mean(axis=-1, keepdims=True)
    variance = np.square(x - mean).mean(axis=-1, keepdims=True)
    result = gamma * (x - mean) / np.sqrt(variance + eps) + beta
    return np.where(variance == 0, 0.0, result)
