# catalogue: own 5
# stands: A B
# says: ATTEMPTED late_invalid: again
# An unusable submission costs no attempt: after a test has been seen, end, and claim to be one when loaded anew.
import os

import support

MISSING = {"invalid": {"why": "missing", "name": "twice", "signature": "twice(x)", "kind": "function"}}

support.say("late_invalid", "again" if os.path.exists("/box/seen") else "at first")
if os.path.exists("/box/seen"):
    support.forge(support.real_encode(MISSING))


def twice(x):
    open("/box/seen", "w").close()
    os._exit(0)
