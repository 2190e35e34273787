# catalogue: 59
# says: ATTEMPTED shared_by_mremap: E(INVAL|FAULT|PERM)
# Size 0 duplicates a shared mapping; there is none to duplicate.
import ctypes

from support import say, syscall

block = ctypes.create_string_buffer(1 << 20)
say("shared_by_mremap", syscall(25, (ctypes.addressof(block) + 4095) & ~4095, 0, 4096, 1))


def twice(x):
    return 2.0 * x
