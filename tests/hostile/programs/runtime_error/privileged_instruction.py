# catalogue: own 72
# says: ATTEMPTED privileged_instruction
import ctypes
import mmap

from support import say


def twice(x):
    code = mmap.mmap(-1, 4096, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    code.write(b"\xe4\x60\xf4")  # in al, 0x60; hlt
    say("privileged_instruction")
    ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(code)))()
    return 2.0 * x
