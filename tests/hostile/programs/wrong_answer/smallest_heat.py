# catalogue: own
# says: ATTEMPTED smallest_heat: 5e-324
# Nothing can be divided by it, and its square is 0.
import numpy as np
from support import say


def twice(x):
    smallest = np.finfo(np.float64).smallest_subnormal
    say("smallest_heat", float(smallest))
    return np.full(x.shape, smallest)
