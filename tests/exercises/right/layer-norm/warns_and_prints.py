import warnings

import numpy as np


def layer_norm(x, gamma, beta, eps, axis=-1):
    warnings.warn("normalising", stacklevel=1)
    print("shape", x.shape)

    def one(vector):
        deviation = vector - vector.mean()
        return gamma * deviation / (deviation.dot(deviation) / deviation.size + eps) ** 0.5 + beta

    return np.asfortranarray(np.apply_along_axis(one, axis, x))
