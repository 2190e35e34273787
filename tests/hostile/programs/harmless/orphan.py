# catalogue: 56 32
# says: ATTEMPTED orphan: EPERM EPERM ENOSYS
# Fork twice and let the parent die: by each of the calls that could.
from support import say, syscall

say("orphan", syscall(57), syscall(56, 17, 0, 0, 0, 0), syscall(435, 0, 0))


def twice(x):
    return 2.0 * x
