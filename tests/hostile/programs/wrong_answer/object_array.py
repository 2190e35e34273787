# catalogue: 17 83
# says: ATTEMPTED object_array
import numpy as np

print("ATTEMPTED object_array", flush=True)


def twice(x):
    return (2.0 * x).astype(object)
