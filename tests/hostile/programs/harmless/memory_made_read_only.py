# catalogue: own 34
# says: ATTEMPTED memory_made_read_only: [0-9]{2,3} MB, ENOMEM
# Memory that is written and then made read-only no longer counts as data. Its addresses still do.
import ctypes
import sys

from support import say, syscall

libc = ctypes.CDLL(None)
libc.mmap.restype = ctypes.c_void_p
if not hasattr(sys, "taken"):
    sys.taken = 0
    while sys.taken < 512:
        address = libc.mmap(None, ctypes.c_size_t(8 << 20), 3, 0x22, -1, ctypes.c_long(0))
        if address == ctypes.c_void_p(-1).value:
            break
        ctypes.memset(address, 1, 8 << 20)
        libc.mprotect(ctypes.c_void_p(address), ctypes.c_size_t(8 << 20), 1)
        sys.taken += 8
    say("memory_made_read_only", sys.taken, "MB,", syscall(9, 0, 8 << 20, 3, 0x22, -1, 0) if sys.taken < 512 else "IT WORKED")


def twice(x):
    return [2.0 * x][0]
