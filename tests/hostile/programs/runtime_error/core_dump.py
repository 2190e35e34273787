# catalogue: 50
# says: ATTEMPTED core_dump: \(0, 0\)
import os
import resource

from support import say


def twice(x):
    say("core_dump", resource.getrlimit(resource.RLIMIT_CORE))
    os.abort()
