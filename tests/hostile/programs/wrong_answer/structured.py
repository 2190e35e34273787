# catalogue: 83
# says: ATTEMPTED structured
import numpy as np

print("ATTEMPTED structured", flush=True)


def twice(x):
    return np.zeros(x.shape, dtype=[("a", "f8")])
