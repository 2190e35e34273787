# catalogue: 74
# says: ATTEMPTED tiocsti: EPERM
import ctypes
import errno

libc = ctypes.CDLL(None, use_errno=True)
result = libc.syscall(ctypes.c_long(16), 1, ctypes.c_ulong(0x5412), b"a")
print("ATTEMPTED tiocsti:", errno.errorcode.get(ctypes.get_errno(), "?") if result == -1 else "IT WORKED", flush=True)


def twice(x):
    return 2.0 * x
