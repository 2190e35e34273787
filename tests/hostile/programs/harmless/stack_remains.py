# catalogue: 22
# says: ATTEMPTED stack_remains: 0 secrets
import ctypes

# The environment that execve left above the stack: whatever was ever passed stays readable there.
libc = ctypes.CDLL(None)
start = ctypes.c_char_p.in_dll(libc, "program_invocation_name")
address = ctypes.cast(start, ctypes.c_void_p).value & ~0xFFF
text = ctypes.string_at(address, 4096)
print("ATTEMPTED stack_remains:", sum(word in text for word in (b"SECRET_KEY", b"DATABASE_URL", b"REDIS_URL")), "secrets")

def twice(x):
    return 2.0 * x
