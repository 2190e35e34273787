# catalogue: own 81
# says: ATTEMPTED many_small_values
from support import say


def twice(x):
    say("many_small_values")
    return [None] * 150_000
