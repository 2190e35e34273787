# catalogue: own 43
# stands: A D
# tests: all
# says: ATTEMPTED short_naps
# Every call stays below the wall limit of one call: waiting has a budget of its own.
import time

from support import say

say("short_naps")
time.sleep(1.2)


def twice(x):
    time.sleep(1.2)
    return 2.0 * x
