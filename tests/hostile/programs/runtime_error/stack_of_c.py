# catalogue: own 48
# says: ATTEMPTED stack_of_c
# A C function that calls itself through Python, until its stack ends.
import ctypes
import sys

from support import say


def twice(x):
    say("stack_of_c")
    sys.setrecursionlimit(2**31 - 1)

    def deeper(_):
        return list(map(deeper, [0]))

    return deeper(0)
