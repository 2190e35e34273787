import numpy as np


def layer_norm(x, gamma, beta, eps):
    d = x.shape[-1]
    centred = x - np.einsum("...j->...", x)[..., None] / d
    inverse = 1.0 / np.sqrt(np.einsum("...j,...j->...", centred, centred) / d + eps)
    return np.einsum("...j,...,j->...j", centred, inverse, gamma) + beta
