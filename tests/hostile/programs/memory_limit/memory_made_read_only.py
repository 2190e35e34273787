# catalogue: own 34
# says: ATTEMPTED memory_made_read_only:\n(at [0-9]+ MB\n)+
# Memory that is written and then made read-only no longer counts as data. It is private memory still.
import ctypes

from support import say

libc = ctypes.CDLL(None)
libc.mmap.restype = ctypes.c_void_p


def twice(x):
    say("memory_made_read_only")
    for taken in range(8, 512, 8):
        address = libc.mmap(None, ctypes.c_size_t(8 << 20), 3, 0x22, -1, ctypes.c_long(0))
        if address == ctypes.c_void_p(-1).value:
            raise MemoryError
        ctypes.memset(address, 1, 8 << 20)
        libc.mprotect(ctypes.c_void_p(address), ctypes.c_size_t(8 << 20), 1)
        print("at", taken, "MB", flush=True)
        if taken > 128:
            print("IT WORKED", flush=True)
    return 2.0 * x
