# catalogue: own
# says: ATTEMPTED seemingly_dying: [1-9][0-9]{2} MB\n(at [0-9]+ MB\n)+
# Whoever closes the channel looks as if it were dying, and is given a moment: no time to grow in.
import ctypes
import os

from support import say

libc = ctypes.CDLL(None)
libc.mmap.restype = ctypes.c_void_p
CHUNK = 2 << 20


class Info(ctypes.Structure):
    _fields_ = [("start", ctypes.c_uint64), ("name", ctypes.c_char_p), ("headers", ctypes.c_void_p), ("count", ctypes.c_uint16)]


def twice(x):
    sizes = {}

    @ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(Info), ctypes.c_size_t, ctypes.c_void_p)
    def note(info, size, data):
        for header in range(info.contents.headers, info.contents.headers + 56 * info.contents.count, 56):
            kind, flags = (ctypes.c_uint32 * 2).from_address(header)
            address, in_memory = (ctypes.c_uint64.from_address(header + place).value for place in (16, 40))
            if kind == 1 and flags & 1 and b"torch_cpu" in (info.contents.name or b""):
                sizes[info.contents.start + address & ~4095] = in_memory & ~4095
        return 0

    libc.dl_iterate_phdr(note, None)
    away = sum(size for start, size in sizes.items() if libc.munmap(ctypes.c_void_p(start), ctypes.c_size_t(size)) == 0)
    say("seemingly_dying", away >> 20, "MB")
    os.close(3)
    taken = 0
    while taken < away:
        address = libc.mmap(None, ctypes.c_size_t(CHUNK), 3, 0x22, -1, ctypes.c_long(0))
        if address == ctypes.c_void_p(-1).value:
            raise MemoryError
        ctypes.memset(address, 1, CHUNK)
        libc.mprotect(ctypes.c_void_p(address), ctypes.c_size_t(CHUNK), 1)
        taken += CHUNK
        print("at", taken >> 20, "MB", flush=True)
        if taken > 128 << 20:
            print("IT WORKED", flush=True)
            break
    return 2.0 * x
