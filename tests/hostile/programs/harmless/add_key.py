# catalogue: 54
# says: ATTEMPTED add_key: EPERM
import ctypes
import errno

libc = ctypes.CDLL(None, use_errno=True)
result = libc.syscall(ctypes.c_long(248), b"user", b"a", b"b", ctypes.c_size_t(1), -3)
print("ATTEMPTED add_key:", errno.errorcode.get(ctypes.get_errno(), "?") if result == -1 else "IT WORKED", flush=True)


def twice(x):
    return 2.0 * x
