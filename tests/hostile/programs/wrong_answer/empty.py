# catalogue: 16
# says: ATTEMPTED empty
import numpy as np

print("ATTEMPTED empty", flush=True)


def twice(x):
    return np.zeros((0, *x.shape[1:]))
