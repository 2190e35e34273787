# catalogue: 35
# says: ATTEMPTED shared_mapping: PermissionError
import os
import mmap
try:
    mmap.mmap(-1, 1 << 20, flags=mmap.MAP_SHARED | mmap.MAP_ANONYMOUS)
    print("ATTEMPTED shared_mapping: IT WORKED", flush=True)
except Exception as error:
    print("ATTEMPTED shared_mapping:", type(error).__name__, error, flush=True)

def twice(x):
    return 2.0 * x
