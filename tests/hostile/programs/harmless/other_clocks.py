# catalogue: own
# says: ATTEMPTED other_clocks: [0-9]{4} asked, EPERM own ok$
# Without a pid namespace these would tell how much other processes compute, and when.
import os
import time

from support import outcome, say, syscall

others = [pid for pid in (*range(1, 400), os.getppid()) if pid != os.getpid()]
ids = [(~pid << 3) | kind for pid in others for kind in (0, 1, 2, 6)]
calls = {syscall(number, clock & 0xFFFFFFFF, bytes(16), bytes(16)) for clock in ids for number in (228, 229)}
calls |= {syscall(230, clock & 0xFFFFFFFF, 0, bytes(16), 0) for clock in ids}
calls |= {outcome(lambda clock=clock: time.clock_gettime(clock)) for clock in ids[:40]}
own = time.process_time() > 0 and time.thread_time() > 0 and time.clock_gettime((~os.getpid() << 3) | 2) > 0
say("other_clocks", len(ids), "asked,", *sorted(calls), "own", "ok" if own else "refused")


def twice(x):
    return 2.0 * x
