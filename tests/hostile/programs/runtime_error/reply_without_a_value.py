# catalogue: own 80
# says: ATTEMPTED reply_without_a_value
import support


def twice(x):
    support.say("reply_without_a_value")
    support.forge(support.real_encode({"passed": True, "score": 1000}))
