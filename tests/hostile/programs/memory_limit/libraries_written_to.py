# catalogue: own
# says: ATTEMPTED libraries_written_to: [1-9][0-9]{2} MB to write to\n(at [0-9]+ MB\n)+
# A page of a library's file becomes private memory when it is written, and is no data once it is read-only again.
import ctypes

from support import say

libc = ctypes.CDLL(None)
CHUNK = 4 << 20


class Info(ctypes.Structure):
    _fields_ = [("start", ctypes.c_uint64), ("name", ctypes.c_char_p), ("headers", ctypes.c_void_p), ("count", ctypes.c_uint16)]


def segments():
    """(address, size, flags) of everything that libraries have mapped and that cannot be written."""
    found = []

    @ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(Info), ctypes.c_size_t, ctypes.c_void_p)
    def note(info, size, data):
        for header in range(info.contents.headers, info.contents.headers + 56 * info.contents.count, 56):
            kind, flags = (ctypes.c_uint32 * 2).from_address(header)
            address, in_memory = (ctypes.c_uint64.from_address(header + place).value for place in (16, 40))
            if kind == 1 and not flags & 2 and in_memory > CHUNK:
                found.append((info.contents.start + address & ~4095, in_memory & ~4095, flags & 1))
        return 0

    libc.dl_iterate_phdr(note, None)
    return sorted(found, key=lambda segment: -segment[1])


def twice(x):
    say("libraries_written_to", sum(size for _, size, _ in segments()) >> 20, "MB to write to")
    written = 0
    for start, size, runs in segments():
        for address in range(start, start + size - CHUNK, CHUNK):
            kept = 1 | 4 * runs
            libc.mprotect(ctypes.c_void_p(address), ctypes.c_size_t(CHUNK), 2 | kept)
            for page in range(address, address + CHUNK, 4096):
                byte = ctypes.c_ubyte.from_address(page)
                byte.value = byte.value
            libc.mprotect(ctypes.c_void_p(address), ctypes.c_size_t(CHUNK), kept)
            written += CHUNK
            print("at", written >> 20, "MB", flush=True)
            if written > 128 << 20:
                print("IT WORKED", flush=True)
                return 2.0 * x
    return 2.0 * x
