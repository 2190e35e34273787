# catalogue: 71
# says: ATTEMPTED seccomp_again: EPERM
import ctypes
import errno

libc = ctypes.CDLL(None, use_errno=True)
result = libc.syscall(ctypes.c_long(317), 1, 0, None)
print("ATTEMPTED seccomp_again:", errno.errorcode.get(ctypes.get_errno(), "?") if result == -1 else "IT WORKED", flush=True)


def twice(x):
    return 2.0 * x
