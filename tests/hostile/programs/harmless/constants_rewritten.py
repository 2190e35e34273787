# catalogue: 52
# says: ATTEMPTED constants_rewritten: 3.0 3.0
# Objects of the interpreter itself, overwritten in place: the next submission finds its own copies.
import ctypes
import math

import numpy as np
from support import say

for number in (math.pi, np.pi):
    ctypes.c_double.from_address(id(number) + 16).value = 3.0
np.sin = np.cos
say("constants_rewritten", math.pi, np.pi)


def twice(x):
    return 2.0 * x
