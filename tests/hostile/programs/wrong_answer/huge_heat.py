# catalogue: own
# says: ATTEMPTED huge_heat: 1\.7976931348623157e\+308
# Finite, but rounded for a heat map it would be infinite, which no database's JSON holds.
import numpy as np
from support import say


def twice(x):
    largest = np.finfo(np.float64).max
    say("huge_heat", float(largest))
    return np.full(x.shape, largest)
