# catalogue: 86 own
# says: ATTEMPTED strided_giant
# One number, seen a billion times: small here, gigabytes on the wire.
import numpy as np
from support import say


def twice(x):
    say("strided_giant")
    return np.lib.stride_tricks.as_strided(x.ravel()[:1], shape=(1 << 30,), strides=(0,))
