# catalogue: 3
# says: ATTEMPTED hard_exit
import os


def twice(x):
    print("ATTEMPTED hard_exit", flush=True)
    os._exit(0)
