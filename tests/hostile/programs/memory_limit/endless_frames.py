# catalogue: own 48
# says: ATTEMPTED endless_frames
# Without a recursion limit Python's frames grow on the heap.
import sys

from support import say


def twice(x):
    say("endless_frames")
    sys.setrecursionlimit(2**31 - 1)

    def deeper(kept):
        return deeper(bytes(1 << 18))

    return deeper(b"")
