# catalogue: 67
# says: ATTEMPTED clone3: ENOSYS
import ctypes
import errno

libc = ctypes.CDLL(None, use_errno=True)
result = libc.syscall(ctypes.c_long(435), None, ctypes.c_size_t(0))
print("ATTEMPTED clone3:", errno.errorcode.get(ctypes.get_errno(), "?") if result == -1 else "IT WORKED", flush=True)


def twice(x):
    return 2.0 * x
