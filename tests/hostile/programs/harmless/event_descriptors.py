# catalogue: own 64
# says: ATTEMPTED event_descriptors: EPERM$
from support import say, syscalls

say("event_descriptors", syscalls(inotify_init1=294, eventfd2=290, signalfd4=289, timerfd_create=283, memfd_secret=447))


def twice(x):
    return 2.0 * x
