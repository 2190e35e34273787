# catalogue: 86
# says: ATTEMPTED strange_strides: \(-
# Views that run backwards over memory of their own are plain values when they arrive.
import numpy as np
from support import say


def twice(x):
    backwards = np.ascontiguousarray((2.0 * x)[..., ::-1])[..., ::-1]
    say("strange_strides", backwards.strides[::-1])
    return backwards
