# catalogue: 21
# says: ATTEMPTED passwd: (FileNotFoundError|PermissionError)
import os

try:
    open("/etc/passwd").read()
    print("ATTEMPTED passwd: IT WORKED", flush=True)
except Exception as error:
    print("ATTEMPTED passwd:", type(error).__name__, error, flush=True)

def twice(x):
    return 2.0 * x
