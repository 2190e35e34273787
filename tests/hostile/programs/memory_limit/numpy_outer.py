# catalogue: 45
# says: ATTEMPTED numpy_outer
import os


import numpy as np


def twice(x):
    print("ATTEMPTED numpy_outer", flush=True)
    return np.outer(np.ones(30_000), np.ones(30_000))
