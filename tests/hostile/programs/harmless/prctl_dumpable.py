# catalogue: 71
# says: ATTEMPTED prctl_dumpable: EPERM
import ctypes
import errno

libc = ctypes.CDLL(None, use_errno=True)
result = libc.syscall(ctypes.c_long(157), 4, ctypes.c_ulong(1), 0, 0, 0)
print("ATTEMPTED prctl_dumpable:", errno.errorcode.get(ctypes.get_errno(), "?") if result == -1 else "IT WORKED", flush=True)


def twice(x):
    return 2.0 * x
