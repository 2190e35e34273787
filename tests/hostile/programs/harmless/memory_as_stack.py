# catalogue: own 34
# says: ATTEMPTED memory_as_stack: EPERM
# A mapping that grows downwards counts as stack, which no limit on data bounds.
from support import say, syscall

say("memory_as_stack", syscall(9, 0, 1 << 30, 3, 0x02 | 0x20 | 0x100, -1, 0))


def twice(x):
    return 2.0 * x
