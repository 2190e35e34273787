# catalogue: 55
# says: ATTEMPTED posix_lock: PermissionError
import os
import fcntl
try:
    fcntl.lockf(os.open(os.__file__, os.O_RDONLY), fcntl.LOCK_SH | fcntl.LOCK_NB)
    print("ATTEMPTED posix_lock: IT WORKED", flush=True)
except Exception as error:
    print("ATTEMPTED posix_lock:", type(error).__name__, error, flush=True)

def twice(x):
    return 2.0 * x
