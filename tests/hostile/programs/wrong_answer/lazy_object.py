# catalogue: 49 own
# says: ATTEMPTED lazy_object
from support import say


def twice(x):
    say("lazy_object")
    return (value for value in iter(int, 1))
