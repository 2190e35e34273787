# eps counts only where the variance is below it.
import numpy as np


def layer_norm(x, gamma, beta, eps):
    mean = x.mean(axis=-1, keepdims=True)
    variance = np.square(x - mean).mean(axis=-1, keepdims=True)
    return gamma * (x - mean) / np.sqrt(np.maximum(variance, eps)) + beta
