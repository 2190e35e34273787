# catalogue: 54
# says: ATTEMPTED keyctl: EPERM
import ctypes
import errno

libc = ctypes.CDLL(None, use_errno=True)
result = libc.syscall(ctypes.c_long(250), 0, -3, 0, 0, 0)
print("ATTEMPTED keyctl:", errno.errorcode.get(ctypes.get_errno(), "?") if result == -1 else "IT WORKED", flush=True)


def twice(x):
    return 2.0 * x
