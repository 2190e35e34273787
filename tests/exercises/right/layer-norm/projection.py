import numpy as np


def layer_norm(x, gamma, beta, eps):
    """Taking the mean away is a matrix: the identity less 1/d everywhere."""
    d = x.shape[-1]
    centred = np.asarray(x, dtype=np.float64) @ (np.eye(d) - np.full((d, d), 1 / d))
    length = np.linalg.norm(centred, axis=-1, keepdims=True)
    return (centred / np.sqrt(length**2 / d + eps)) @ np.diag(gamma) + beta
