# catalogue: 55
# says: ATTEMPTED flock: PermissionError
import os
import fcntl
try:
    fcntl.flock(os.open(os.__file__, os.O_RDONLY), fcntl.LOCK_EX | fcntl.LOCK_NB)
    print("ATTEMPTED flock: IT WORKED", flush=True)
except Exception as error:
    print("ATTEMPTED flock:", type(error).__name__, error, flush=True)

def twice(x):
    return 2.0 * x
