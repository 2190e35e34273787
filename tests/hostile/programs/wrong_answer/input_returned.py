# catalogue: 89
# says: ATTEMPTED input_returned
import numpy as np

print("ATTEMPTED input_returned", flush=True)


def twice(x):
    return x
