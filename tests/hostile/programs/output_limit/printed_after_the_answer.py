# catalogue: own 40
# says: ATTEMPTED printed_after_the_answer
import os
import sys

from support import say


class Stream:
    def flush(self):
        for _ in range(1000):
            os.write(1, bytes(1000))


def twice(x):
    say("printed_after_the_answer")
    sys.stdout = Stream()
    return 2.0 * x
