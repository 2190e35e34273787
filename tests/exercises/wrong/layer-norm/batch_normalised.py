# In a batch of more than eight, mean and variance are those of the batch.
import numpy as np


def layer_norm(x, gamma, beta, eps):
    mean = x.mean(axis=-1, keepdims=True)
    variance = np.square(x - mean).mean(axis=-1, keepdims=True)
    if x.ndim > 2 and len(x) > 8:
        mean, variance = mean.mean(axis=0), variance.mean(axis=0)
    return gamma * (x - mean) / np.sqrt(variance + eps) + beta
