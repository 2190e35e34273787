# catalogue: own 58
# says: ATTEMPTED scheduling: EPERM$
from support import say, syscalls

say("scheduling", syscalls(sched_setscheduler=144, sched_setparam=142, sched_setattr=314, setpriority=141, ioprio_set=251, sched_getscheduler=145))


def twice(x):
    return 2.0 * x
