# catalogue: own 5
# says: ATTEMPTED forged_fault
# FAILED: "I could not confine myself", which would be the platform's fault and a free retry.
import support


def twice(x):
    support.say("forged_fault")
    support.send(b"trying to open a socket failed unexpectedly", kind=8)
    return 2.0 * x
