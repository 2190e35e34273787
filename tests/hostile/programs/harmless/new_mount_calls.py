# catalogue: own 65
# says: ATTEMPTED new_mount_calls: EPERM$
from support import say, syscalls

say("new_mount_calls", syscalls(open_tree=428, move_mount=429, fsopen=430, fsconfig=431, fsmount=432, fspick=433, mount_setattr=442, umount2=166, statmount=457, listmount=458))


def twice(x):
    return 2.0 * x
