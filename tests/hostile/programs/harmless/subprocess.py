# catalogue: 73 own
# says: ATTEMPTED subprocess: PermissionError
import os
import subprocess
try:
    subprocess.run(["/bin/sh", "-c", "true"])
    print("ATTEMPTED subprocess: IT WORKED", flush=True)
except Exception as error:
    print("ATTEMPTED subprocess:", type(error).__name__, error, flush=True)

def twice(x):
    return 2.0 * x
