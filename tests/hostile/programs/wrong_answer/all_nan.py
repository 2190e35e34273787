# catalogue: 15
# says: ATTEMPTED all_nan
import numpy as np

print("ATTEMPTED all_nan", flush=True)


def twice(x):
    return np.full(x.shape, np.nan)
