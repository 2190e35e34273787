# catalogue: 62
# says: ATTEMPTED perf_event_open: EPERM
import ctypes
import errno

libc = ctypes.CDLL(None, use_errno=True)
result = libc.syscall(ctypes.c_long(298), None, 0, -1, -1, 0)
print("ATTEMPTED perf_event_open:", errno.errorcode.get(ctypes.get_errno(), "?") if result == -1 else "IT WORKED", flush=True)


def twice(x):
    return 2.0 * x
