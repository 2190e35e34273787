# catalogue: own 80
# stands: A D
# says: ATTEMPTED reply_never_ends
# The header promises what fits the cap; the rest never comes.
import time

import support


def twice(x):
    support.say("reply_never_ends")
    support.send(b"d", length=400_000)
    time.sleep(60)
