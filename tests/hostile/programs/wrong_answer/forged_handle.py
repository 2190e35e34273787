# catalogue: own 5
# says: ATTEMPTED forged_handle
# A handle to an object that is not there, in the place of numbers.
import support
from exercises.testkit.values import Handle


def twice(x):
    support.say("forged_handle")
    support.forge(support.real_encode({"value": Handle(2**63, "ndarray")}))
