# catalogue: 23
# says: ATTEMPTED proc_environ: (FileNotFoundError|PermissionError)
import os

try:
    print(open("/proc/1/environ").read())
    print("ATTEMPTED proc_environ: IT WORKED", flush=True)
except Exception as error:
    print("ATTEMPTED proc_environ:", type(error).__name__, error, flush=True)

def twice(x):
    return 2.0 * x
