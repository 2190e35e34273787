# catalogue: 83
# says: ATTEMPTED strings
import numpy as np

print("ATTEMPTED strings", flush=True)


def twice(x):
    return (2.0 * x).astype(str)
