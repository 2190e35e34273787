# catalogue: 34
# says: ATTEMPTED heap
import os


def twice(x):
    print("ATTEMPTED heap", flush=True)
    return bytearray(1 << 30)
