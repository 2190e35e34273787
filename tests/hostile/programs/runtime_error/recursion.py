# catalogue: 48
# says: ATTEMPTED recursion
import os


def deeper(x):
    return deeper(x)


def twice(x):
    print("ATTEMPTED recursion", flush=True)
    return deeper(x)
