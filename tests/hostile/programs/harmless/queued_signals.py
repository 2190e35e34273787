# catalogue: own 57
# says: ATTEMPTED queued_signals: EPERM$
from support import say, syscalls

say("queued_signals", syscalls(rt_sigqueueinfo=129, rt_tgsigqueueinfo=297, tkill=200, timer_create=222))


def twice(x):
    return 2.0 * x
