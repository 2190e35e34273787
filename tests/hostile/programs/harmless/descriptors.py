# catalogue: 26
# says: ATTEMPTED descriptors: OSError .* Bad file descriptor
import os

try:
    [os.dup(None)] if False else os.fstat(4)
    print("ATTEMPTED descriptors: IT WORKED", flush=True)
except Exception as error:
    print("ATTEMPTED descriptors:", type(error).__name__, error, flush=True)

def twice(x):
    return 2.0 * x
