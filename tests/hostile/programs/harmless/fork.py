# catalogue: 32
# says: ATTEMPTED fork: PermissionError
import os

try:
    os.fork()
    print("ATTEMPTED fork: IT WORKED", flush=True)
except Exception as error:
    print("ATTEMPTED fork:", type(error).__name__, error, flush=True)

def twice(x):
    return 2.0 * x
