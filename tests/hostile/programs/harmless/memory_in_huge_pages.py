# catalogue: own
# says: ATTEMPTED memory_in_huge_pages: EPERM
# Huge pages that a machine keeps in reserve are counted apart from all other memory of a process.
from support import say, syscall

say("memory_in_huge_pages", syscall(9, 0, 2 << 20, 3, 0x02 | 0x20 | 0x40000, -1, 0))


def twice(x):
    return 2.0 * x
