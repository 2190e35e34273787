# catalogue: 40
# says: ATTEMPTED stderr_flood
import os


import sys


def twice(x):
    print("ATTEMPTED stderr_flood", flush=True)
    sys.stderr.write("a" * (1 << 20))
