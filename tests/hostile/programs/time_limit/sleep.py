# catalogue: 43
# says: ATTEMPTED sleep
import os


import time


def twice(x):
    print("ATTEMPTED sleep", flush=True)
    while True:
        time.sleep(10)
