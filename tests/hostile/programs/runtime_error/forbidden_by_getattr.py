# catalogue: 90
# says: ATTEMPTED forbidden_by_getattr
# Not found in the source, but trapped in the process.
import numpy as np
from support import say


def twice(x):
    say("forbidden_by_getattr")
    return getattr(np, "".join(["ein", "sum"]))("...,->...", x, 2.0)
