# catalogue: 2
# says: ATTEMPTED system_exit
import os


import sys


def twice(x):
    print("ATTEMPTED system_exit", flush=True)
    sys.exit(0)
