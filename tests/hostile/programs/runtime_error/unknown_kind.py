# catalogue: own 80
# says: ATTEMPTED unknown_kind
import support


def twice(x):
    support.say("unknown_kind")
    support.send(b"N", kind=99)
    return 2.0 * x
