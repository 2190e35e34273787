# catalogue: own 41
# says: ATTEMPTED pipes: [0-9]+ pipes, then EMFILE
# Kernel memory in pipes is bounded by the descriptors; what does not fit is then taken from the heap.
import os

from support import outcome, say


def twice(x):
    pipes = []
    while True:
        try:
            pipes.append(os.pipe())
        except OSError:
            break
        os.set_blocking(pipes[-1][1], False)
        os.write(pipes[-1][1], bytes(1 << 16))
    say("pipes", len(pipes), "pipes, then", outcome(os.pipe))
    return [bytes(1 << 20) for _ in range(1000)]
