# catalogue: own 72
# says: ATTEMPTED compat_mode: 0x
# A far return into 32-bit code, which then asks the 32-bit kernel.
import ctypes
import mmap
import struct

from support import say

libc = ctypes.CDLL(None)
libc.mmap.restype = ctypes.c_void_p


def twice(x):
    address = libc.mmap(None, ctypes.c_size_t(8192), 7, 0x22 | 0x40, -1, ctypes.c_long(0))
    narrow = bytes([0xB8, 20, 0, 0, 0, 0xCD, 0x80, 0xF4])  # mov eax, getpid; int 0x80; hlt
    start = b"\x6a\x23\x68" + struct.pack("<i", address + 64) + b"\x48\xcb"  # push 0x23; push narrow; retfq
    ctypes.memmove(address, start, len(start))
    ctypes.memmove(address + 64, narrow, len(narrow))
    say("compat_mode", hex(address))
    ctypes.CFUNCTYPE(ctypes.c_long)(address)()
    return 2.0 * x
