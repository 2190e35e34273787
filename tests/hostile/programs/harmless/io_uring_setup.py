# catalogue: 64
# says: ATTEMPTED io_uring_setup: EPERM
import ctypes
import errno

libc = ctypes.CDLL(None, use_errno=True)
result = libc.syscall(ctypes.c_long(425), 8, None)
print("ATTEMPTED io_uring_setup:", errno.errorcode.get(ctypes.get_errno(), "?") if result == -1 else "IT WORKED", flush=True)


def twice(x):
    return 2.0 * x
