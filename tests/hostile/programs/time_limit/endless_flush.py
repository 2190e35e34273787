# catalogue: own 49
# says: ATTEMPTED endless_flush
# The work is done; flushing what was printed never ends.
import sys

from support import say


class Stream:
    def write(self, text):
        return len(text)

    def flush(self):
        while True:
            pass


def twice(x):
    say("endless_flush")
    sys.stdout = Stream()
    return 2.0 * x
