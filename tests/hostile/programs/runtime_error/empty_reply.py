# catalogue: own 80
# says: ATTEMPTED empty_reply
import support


def twice(x):
    support.say("empty_reply")
    support.forge(b"")
