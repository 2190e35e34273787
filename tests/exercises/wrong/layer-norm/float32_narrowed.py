# float32 arrays are computed in float16.
import numpy as np


def layer_norm(x, gamma, beta, eps):
    if x.dtype == np.float32:
        x = x.astype(np.float16)
    mean = x.mean(axis=-1, keepdims=True)
    variance = np.square(x - mean).mean(axis=-1, keepdims=True)
    return (gamma * (x - mean) / np.sqrt(variance + eps) + beta).astype(np.float32)
