# catalogue: own 58
# says: ATTEMPTED own_processor: EPERM
# Rivals packed onto one processor would look starved, which is our fault and not theirs.
import os

from support import outcome, say

say("own_processor", outcome(lambda: os.sched_setaffinity(0, {0})))


def twice(x):
    return 2.0 * x
