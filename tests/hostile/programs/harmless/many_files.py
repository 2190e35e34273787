# catalogue: 41
# says: ATTEMPTED many_files: OSError .* Too many open files
import os

try:
    keep = [os.open("/dev/null", os.O_RDONLY) for _ in range(1000)]
    print("ATTEMPTED many_files: IT WORKED", flush=True)
except Exception as error:
    print("ATTEMPTED many_files:", type(error).__name__, error, flush=True)

def twice(x):
    return 2.0 * x
