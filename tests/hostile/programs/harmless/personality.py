# catalogue: 68
# says: ATTEMPTED personality: EPERM
import ctypes
import errno

libc = ctypes.CDLL(None, use_errno=True)
result = libc.syscall(ctypes.c_long(135), ctypes.c_ulong(0x0040000))
print("ATTEMPTED personality:", errno.errorcode.get(ctypes.get_errno(), "?") if result == -1 else "IT WORKED", flush=True)


def twice(x):
    return 2.0 * x
