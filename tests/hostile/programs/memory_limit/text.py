# catalogue: own 34
# says: ATTEMPTED text
from support import say


def twice(x):
    say("text")
    return len("x" * (1 << 31))
