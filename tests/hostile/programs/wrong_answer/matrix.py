# catalogue: own 9
# says: ATTEMPTED matrix
import numpy as np
from support import say


def twice(x):
    say("matrix")
    return np.recarray(x.shape, dtype=x.dtype, buf=np.ascontiguousarray(2.0 * x))
