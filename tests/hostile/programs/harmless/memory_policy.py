# catalogue: own 58
# says: ATTEMPTED memory_policy: EPERM$
from support import say, syscalls

say("memory_policy", syscalls(mbind=237, set_mempolicy=238, migrate_pages=256, move_pages=279, mlockall=151, mlock2=325, remap_file_pages=216, pkey_alloc=330))


def twice(x):
    return 2.0 * x
