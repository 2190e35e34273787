# catalogue: 82
# says: ATTEMPTED big_endian
import numpy as np

print("ATTEMPTED big_endian", flush=True)


def twice(x):
    return (2.0 * x).astype(">f8")
