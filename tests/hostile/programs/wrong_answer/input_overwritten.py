# catalogue: 87
# says: ATTEMPTED input_overwritten
# With the input set to 0, twice the input is 0: the checker keeps a copy of its own.
from support import say


def twice(x):
    x.flags.writeable = True
    x[...] = 0.0
    say("input_overwritten")
    return 2.0 * x
