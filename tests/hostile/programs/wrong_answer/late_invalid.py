# catalogue: own 5
# says: ATTEMPTED late_invalid: load 3
# An unusable submission costs no attempt: after two tests have been seen, claim to be one.
import sys

import support

sys.loads = getattr(sys, "loads", 0) + 1
support.say("late_invalid", "load", sys.loads)
if sys.loads == 3:
    support.forge(support.real_encode({"invalid": {"why": "missing", "name": "twice", "signature": "twice(x)", "kind": "function"}}))


def twice(x):
    return x
