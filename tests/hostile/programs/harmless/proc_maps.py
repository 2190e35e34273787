# catalogue: 23
# says: ATTEMPTED proc_maps: (FileNotFoundError|PermissionError)
import os

try:
    print(open("/proc/self/maps").read())
    print("ATTEMPTED proc_maps: IT WORKED", flush=True)
except Exception as error:
    print("ATTEMPTED proc_maps:", type(error).__name__, error, flush=True)

def twice(x):
    return 2.0 * x
