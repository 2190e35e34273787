# catalogue: own 80
# says: ATTEMPTED channel_flags: True
# Flags of this end of the channel are not flags of the other.
import fcntl
import os

from support import say

os.set_blocking(3, True)
fcntl.fcntl(3, fcntl.F_SETFL, os.O_ASYNC | os.O_APPEND)
say("channel_flags", os.get_blocking(3))


def twice(x):
    return 2.0 * x
