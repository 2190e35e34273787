import numpy as np


def layer_norm(x, gamma, beta, eps=1e-5):
    x, gamma, beta, eps = np.float32(x), np.float32(gamma), np.float32(beta), np.float32(eps)
    out = np.zeros_like(x)
    for index in np.ndindex(x.shape[:-1]):
        total = np.float32(0)
        for value in x[index]:
            total += value
        mean = total / np.float32(x.shape[-1])
        squares = np.float32(0)
        for value in x[index]:
            squares += (value - mean) * (value - mean)
        out[index] = (x[index] - mean) * (squares / np.float32(x.shape[-1]) + eps) ** np.float32(-0.5)
    return out * gamma + beta
