# catalogue: own 47
# says: ATTEMPTED huge_int
from support import say


def twice(x):
    say("huge_int")
    return 10**100_000
