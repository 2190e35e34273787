# catalogue: 15
# says: ATTEMPTED all_infinite
import numpy as np

print("ATTEMPTED all_infinite", flush=True)


def twice(x):
    return np.full(x.shape, np.inf)
