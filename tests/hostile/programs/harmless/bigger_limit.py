# catalogue: own
# says: ATTEMPTED bigger_limit: (ValueError|PermissionError)
import os
import resource
try:
    resource.setrlimit(resource.RLIMIT_DATA, (1 << 40, 1 << 40))
    print("ATTEMPTED bigger_limit: IT WORKED", flush=True)
except Exception as error:
    print("ATTEMPTED bigger_limit:", type(error).__name__, error, flush=True)

def twice(x):
    return 2.0 * x
