import numpy as np


def layer_norm(x, gamma, beta, eps):
    mean = np.mean(x, axis=x.ndim - 1, keepdims=True)
    std = np.std(x, axis=x.ndim - 1, keepdims=True, ddof=0)
    scale = gamma / np.hypot(std, np.sqrt(eps))
    result = x * scale + (beta - mean * scale)
    if x.dtype == np.float32:
        result = ((x - mean) / np.hypot(std, np.sqrt(eps))) * gamma + beta
    result.flags.writeable = False
    return result
