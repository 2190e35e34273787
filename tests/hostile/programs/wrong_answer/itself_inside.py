# catalogue: own 48
# says: ATTEMPTED itself_inside
from support import say


def twice(x):
    say("itself_inside")
    ring = []
    ring.append(ring)
    return ring
