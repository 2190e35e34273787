# catalogue: own 5
# says: ATTEMPTED forged_at_once
# Claimed before anything was seen, it is what it says: unusable, and worth nothing.
import support

support.say("forged_at_once")
support.forge(support.real_encode({"invalid": {"why": "missing", "name": "twice", "signature": "\0\ud800" * 1000, "kind": "x" * 1000}}))


def twice(x):
    return 2.0 * x
