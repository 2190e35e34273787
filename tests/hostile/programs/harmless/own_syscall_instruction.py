# catalogue: own 75
# says: ATTEMPTED own_syscall_instruction: -1$
# socket(AF_INET, SOCK_STREAM) by machine code of its own, past every library.
import ctypes
import mmap

from support import say

code = mmap.mmap(-1, 4096, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
code.write(bytes.fromhex("b829000000 bf02000000 be01000000 31d2 0f05 c3"))
say("own_syscall_instruction", ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(code)))())


def twice(x):
    return 2.0 * x
