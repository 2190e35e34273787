# catalogue: 16
# says: ATTEMPTED broadcastable
import numpy as np

print("ATTEMPTED broadcastable", flush=True)


def twice(x):
    return 2.0 * x[None]
