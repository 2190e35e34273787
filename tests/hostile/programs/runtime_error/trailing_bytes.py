# catalogue: own 80
# says: ATTEMPTED trailing_bytes
import support


def twice(x):
    support.say("trailing_bytes")
    support.forge(support.real_encode({"value": 2.0 * x}) + b"N")
