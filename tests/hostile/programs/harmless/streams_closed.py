# catalogue: own 40
# says: ATTEMPTED streams_closed
import os
import sys

from support import say

if sys.stdout and not sys.stdout.closed:
    say("streams_closed")
    sys.stdout.close()
    sys.stderr.close()


def twice(x):
    return 2.0 * x
