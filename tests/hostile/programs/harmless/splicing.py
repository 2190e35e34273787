# catalogue: own 61
# says: ATTEMPTED splicing: EPERM$
from support import say, syscalls

say("splicing", syscalls(sendfile=40, splice=275, tee=276, vmsplice=278, copy_file_range=326))


def twice(x):
    return 2.0 * x
