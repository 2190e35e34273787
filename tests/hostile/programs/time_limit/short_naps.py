# catalogue: own 43
# earns: 6
# stands: A D
# tests: all
# says: ATTEMPTED short_naps
# Every call stays below the wall limit of one call: waiting has a budget of its own.
import time

from support import say

say("short_naps")


def twice(x):
    time.sleep(1.7)
    return 2.0 * x
