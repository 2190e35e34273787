# catalogue: own 71
# says: ATTEMPTED looser_landlock: EPERM$
from support import say, syscalls

say("looser_landlock", syscalls(create=444, add=445, restrict=446, seccomp=317))


def twice(x):
    return 2.0 * x
