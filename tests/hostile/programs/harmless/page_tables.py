# catalogue: own 34
# says: ATTEMPTED page_tables: ENOMEM
# Touching one page in every 2 MB of nothing costs the kernel a page table each, which counts as nobody's memory.
from support import say, syscall

say("page_tables", syscall(9, 0, 1 << 38, 1, 0x22, -1, 0))


def twice(x):
    return 2.0 * x
