# catalogue: 66
# says: ATTEMPTED unshare_user: EPERM
import ctypes
import errno

libc = ctypes.CDLL(None, use_errno=True)
result = libc.syscall(ctypes.c_long(272), 0x10000000)
print("ATTEMPTED unshare_user:", errno.errorcode.get(ctypes.get_errno(), "?") if result == -1 else "IT WORKED", flush=True)


def twice(x):
    return 2.0 * x
