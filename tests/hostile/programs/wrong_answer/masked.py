# catalogue: 17
# says: ATTEMPTED masked
import numpy as np

print("ATTEMPTED masked", flush=True)


def twice(x):
    return np.ma.masked_all(x.shape)
