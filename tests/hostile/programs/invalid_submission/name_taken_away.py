# catalogue: own
# says: does not define the function `twice`
from support import say


def twice(x):
    return 2.0 * x


say("name_taken_away")
del twice
