# catalogue: 73
# says: ATTEMPTED execve: PermissionError
import os

try:
    os.execv("/bin/su", ["su"])
    print("ATTEMPTED execve: IT WORKED", flush=True)
except Exception as error:
    print("ATTEMPTED execve:", type(error).__name__, error, flush=True)

def twice(x):
    return 2.0 * x
