# catalogue: own 57
# says: ATTEMPTED killing_itself_unseen: EPERM EPERM EPERM
# SIGKILL to itself would look like a kill from outside; a stop or a crash does not.
import os

from support import say, syscall

say("killing_itself_unseen", syscall(234, os.getpid(), os.getpid(), 9), syscall(200, os.getpid(), 9), syscall(62, os.getpid(), 9))


def twice(x):
    return 2.0 * x
