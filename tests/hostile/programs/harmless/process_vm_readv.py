# catalogue: 61
# says: ATTEMPTED process_vm_readv: EPERM
import ctypes
import errno

libc = ctypes.CDLL(None, use_errno=True)
result = libc.syscall(ctypes.c_long(310), 1, None, 0, None, 0, 0)
print("ATTEMPTED process_vm_readv:", errno.errorcode.get(ctypes.get_errno(), "?") if result == -1 else "IT WORKED", flush=True)


def twice(x):
    return 2.0 * x
