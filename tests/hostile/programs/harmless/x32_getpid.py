# catalogue: 72 own
# says: ATTEMPTED x32_getpid: EPERM
import ctypes
import errno

libc = ctypes.CDLL(None, use_errno=True)
result = libc.syscall(ctypes.c_long(1073741863), )
print("ATTEMPTED x32_getpid:", errno.errorcode.get(ctypes.get_errno(), "?") if result == -1 else "IT WORKED", flush=True)


def twice(x):
    return 2.0 * x
