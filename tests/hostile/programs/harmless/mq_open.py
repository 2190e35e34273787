# catalogue: 37
# says: ATTEMPTED mq_open: EPERM
import ctypes
import errno

libc = ctypes.CDLL(None, use_errno=True)
result = libc.syscall(ctypes.c_long(240), b"/a", 0o102, 0o600, None)
print("ATTEMPTED mq_open:", errno.errorcode.get(ctypes.get_errno(), "?") if result == -1 else "IT WORKED", flush=True)


def twice(x):
    return 2.0 * x
