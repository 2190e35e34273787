# catalogue: 68
# says: ATTEMPTED modify_ldt: EPERM
import ctypes
import errno

libc = ctypes.CDLL(None, use_errno=True)
result = libc.syscall(ctypes.c_long(154), 1, None, ctypes.c_ulong(0))
print("ATTEMPTED modify_ldt:", errno.errorcode.get(ctypes.get_errno(), "?") if result == -1 else "IT WORKED", flush=True)


def twice(x):
    return 2.0 * x
