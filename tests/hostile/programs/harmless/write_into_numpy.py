# catalogue: 53
# says: ATTEMPTED write_into_numpy: (OSError|PermissionError)
import os
import numpy
try:
    open(numpy.__file__, "a").write("#")
    print("ATTEMPTED write_into_numpy: IT WORKED", flush=True)
except Exception as error:
    print("ATTEMPTED write_into_numpy:", type(error).__name__, error, flush=True)

def twice(x):
    return 2.0 * x
