# catalogue: 70
# says: ATTEMPTED open_by_handle_at: EPERM
import ctypes
import errno

libc = ctypes.CDLL(None, use_errno=True)
result = libc.syscall(ctypes.c_long(304), 3, None, 0)
print("ATTEMPTED open_by_handle_at:", errno.errorcode.get(ctypes.get_errno(), "?") if result == -1 else "IT WORKED", flush=True)


def twice(x):
    return 2.0 * x
