# catalogue: 90
# says: Line 7 uses `numpy.einsum`
import numpy as np


def twice(x):
    return np.einsum("...,->...", x, 2.0)
