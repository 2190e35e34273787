# catalogue: 58
# says: ATTEMPTED setpriority_others: EPERM
import ctypes
import errno

libc = ctypes.CDLL(None, use_errno=True)
result = libc.syscall(ctypes.c_long(141), 0, 1, 19)
print("ATTEMPTED setpriority_others:", errno.errorcode.get(ctypes.get_errno(), "?") if result == -1 else "IT WORKED", flush=True)


def twice(x):
    return 2.0 * x
