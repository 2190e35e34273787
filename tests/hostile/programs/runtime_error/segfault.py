# catalogue: 48 own
# says: ATTEMPTED segfault
import os


import ctypes


def twice(x):
    print("ATTEMPTED segfault", flush=True)
    ctypes.string_at(0)
