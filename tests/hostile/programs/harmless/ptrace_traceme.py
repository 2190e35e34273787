# catalogue: 61
# says: ATTEMPTED ptrace_traceme: EPERM
import ctypes
import errno

libc = ctypes.CDLL(None, use_errno=True)
result = libc.syscall(ctypes.c_long(101), 0, 0, 0, 0)
print("ATTEMPTED ptrace_traceme:", errno.errorcode.get(ctypes.get_errno(), "?") if result == -1 else "IT WORKED", flush=True)


def twice(x):
    return 2.0 * x
