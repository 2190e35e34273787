# catalogue: own
# says: ATTEMPTED become_root: PermissionError
import os

try:
    os.setuid(0) or os.setresuid(0, 0, 0)
    print("ATTEMPTED become_root: IT WORKED", flush=True)
except Exception as error:
    print("ATTEMPTED become_root:", type(error).__name__, error, flush=True)

def twice(x):
    return 2.0 * x
