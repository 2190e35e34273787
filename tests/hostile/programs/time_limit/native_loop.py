# catalogue: 44
# says: ATTEMPTED native_loop
import os


def twice(x):
    print("ATTEMPTED native_loop", flush=True)
    return sum(range(10**12))
