# catalogue: 57
# says: ATTEMPTED kill_parent: PermissionError
import os

try:
    os.kill(os.getppid(), 9)
    print("ATTEMPTED kill_parent: IT WORKED", flush=True)
except Exception as error:
    print("ATTEMPTED kill_parent:", type(error).__name__, error, flush=True)

def twice(x):
    return 2.0 * x
