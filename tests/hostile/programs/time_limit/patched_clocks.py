# catalogue: 18
# says: ATTEMPTED patched_clocks: 0.0
# Every clock that Python offers stands still; the one that counts is read from outside.
import time

from support import say

for name in ("time", "monotonic", "perf_counter", "process_time", "thread_time"):
    setattr(time, name, lambda: 0.0)
time.clock_gettime = lambda clock: 0.0
say("patched_clocks", time.process_time())


def twice(x):
    while time.process_time() < 1.0:
        pass
    return 2.0 * x
