# catalogue: 26 own
# says: ATTEMPTED sendmsg_on_the_channel: EPERM
import ctypes
import errno

libc = ctypes.CDLL(None, use_errno=True)
result = libc.syscall(ctypes.c_long(46), 3, None, 0)
print("ATTEMPTED sendmsg_on_the_channel:", errno.errorcode.get(ctypes.get_errno(), "?") if result == -1 else "IT WORKED", flush=True)


def twice(x):
    return 2.0 * x
