# catalogue: 37
# says: ATTEMPTED shmget: EPERM
import ctypes
import errno

libc = ctypes.CDLL(None, use_errno=True)
result = libc.syscall(ctypes.c_long(29), 0, ctypes.c_size_t(4096), 0o1600)
print("ATTEMPTED shmget:", errno.errorcode.get(ctypes.get_errno(), "?") if result == -1 else "IT WORKED", flush=True)


def twice(x):
    return 2.0 * x
