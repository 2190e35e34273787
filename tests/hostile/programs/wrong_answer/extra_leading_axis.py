# catalogue: own 16
# says: ATTEMPTED extra_leading_axis
from support import say


def twice(x):
    say("extra_leading_axis")
    return (2.0 * x)[None]
