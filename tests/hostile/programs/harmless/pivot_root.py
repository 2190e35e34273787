# catalogue: 65
# says: ATTEMPTED pivot_root: EPERM
import ctypes
import errno

libc = ctypes.CDLL(None, use_errno=True)
result = libc.syscall(ctypes.c_long(155), b"/", b"/")
print("ATTEMPTED pivot_root:", errno.errorcode.get(ctypes.get_errno(), "?") if result == -1 else "IT WORKED", flush=True)


def twice(x):
    return 2.0 * x
