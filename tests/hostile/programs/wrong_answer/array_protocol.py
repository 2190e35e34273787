# catalogue: 10
# says: ATTEMPTED array_protocol
import numpy as np

print("ATTEMPTED array_protocol", flush=True)


class Walker:
    def __array__(self, *a, **k):
        raise SystemExit


def twice(x):
    return Walker()
