# catalogue: 24
# says: ATTEMPTED dev_shm: (FileNotFoundError|PermissionError)
import os

try:
    print(os.listdir("/dev/shm"))
    print("ATTEMPTED dev_shm: IT WORKED", flush=True)
except Exception as error:
    print("ATTEMPTED dev_shm:", type(error).__name__, error, flush=True)

def twice(x):
    return 2.0 * x
