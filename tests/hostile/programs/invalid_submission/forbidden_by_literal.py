# catalogue: 90
# says: Line 7 uses `numpy.einsum`
import numpy as np


def twice(x):
    return getattr(np, "ein" + "sum")("...,->...", x, 2.0)
