# catalogue: 31
# says: ATTEMPTED same_hashes: -?[0-9]+ [0-9]+
# Hash seed and addresses are the same in every fork; accepted, because nothing here rests on them.
import numpy as np
from support import say

say("same_hashes", hash("x"), id(np))


def twice(x):
    return 2.0 * x
