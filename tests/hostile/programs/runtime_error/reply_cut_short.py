# catalogue: own 80
# says: ATTEMPTED reply_cut_short
import os

import support


def twice(x):
    support.say("reply_cut_short")
    support.send(b"half", length=8)
    os.close(3)
