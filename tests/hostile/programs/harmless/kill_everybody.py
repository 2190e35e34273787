# catalogue: 57
# says: ATTEMPTED kill_everybody: PermissionError
import os

try:
    os.kill(-1, 9)
    print("ATTEMPTED kill_everybody: IT WORKED", flush=True)
except Exception as error:
    print("ATTEMPTED kill_everybody:", type(error).__name__, error, flush=True)

def twice(x):
    return 2.0 * x
