# catalogue: 69
# says: ATTEMPTED kexec_load: EPERM
import ctypes
import errno

libc = ctypes.CDLL(None, use_errno=True)
result = libc.syscall(ctypes.c_long(246), ctypes.c_ulong(0), ctypes.c_ulong(0), None, ctypes.c_ulong(0))
print("ATTEMPTED kexec_load:", errno.errorcode.get(ctypes.get_errno(), "?") if result == -1 else "IT WORKED", flush=True)


def twice(x):
    return 2.0 * x
