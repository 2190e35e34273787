# catalogue: own 91
# says: ATTEMPTED unstorable_error
# An error report forged to break whoever stores it: NUL, surrogates, and a line number of a thousand digits.
import support


def twice(x):
    support.say("unstorable_error")
    bad = "\0\ud800\udfff" * 5_000
    support.forge(support.real_encode({"error": {"type": bad, "message": bad, "traceback": bad, "line": 10**1000}}))
