# catalogue: 63
# says: ATTEMPTED userfaultfd: EPERM
import ctypes
import errno

libc = ctypes.CDLL(None, use_errno=True)
result = libc.syscall(ctypes.c_long(323), 0)
print("ATTEMPTED userfaultfd:", errno.errorcode.get(ctypes.get_errno(), "?") if result == -1 else "IT WORKED", flush=True)


def twice(x):
    return 2.0 * x
