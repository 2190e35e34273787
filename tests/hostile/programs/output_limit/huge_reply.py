# catalogue: 81
# says: ATTEMPTED huge_reply
import os


import numpy as np


def twice(x):
    print("ATTEMPTED huge_reply", flush=True)
    return np.zeros(1 << 20)
