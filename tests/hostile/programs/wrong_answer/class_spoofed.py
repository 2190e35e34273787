# catalogue: own 9
# says: ATTEMPTED class_spoofed: True
import numpy as np
from support import say


class Liar:
    __class__ = property(lambda self: np.ndarray)
    shape, dtype, size, itemsize = (3,), np.dtype("float64"), 3, 8


def twice(x):
    say("class_spoofed", isinstance(Liar(), np.ndarray))
    return Liar()
