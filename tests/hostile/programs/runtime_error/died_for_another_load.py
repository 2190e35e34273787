# catalogue: own
# says: ATTEMPTED died_for_another_load
# To die in every test buys a fresh process each time, and no point.
import os

import support

support.say("died_for_another_load")


def twice(x):
    os._exit(0)
