"""What hostile programs share: as public as every exercise's support module."""

import ctypes
import errno
import os
import struct

from exercises.testkit import values

_libc = ctypes.CDLL(None, use_errno=True)
_libc.syscall.restype = ctypes.c_long
real_encode = values.encode
FRAME = struct.Struct("<4sB8sQ")


def syscall(number, *arguments):
    """Make a system call by its number; return the name of the error."""
    ctypes.set_errno(0)
    wide = [ctypes.c_long(value) if isinstance(value, int) else value for value in arguments]
    result = _libc.syscall(ctypes.c_long(number), *wide)
    return f"IT WORKED ({result})" if result >= 0 else errno.errorcode.get(ctypes.get_errno(), "?")


def syscalls(**numbers):
    """The distinct errors of several calls, all without arguments."""
    return " ".join(sorted({syscall(number, *[0] * 6) for number in numbers.values()}))


def outcome(attempt):
    """Call it; return the name of its error."""
    try:
        return f"IT WORKED ({attempt()!r})"
    except OSError as error:
        return errno.errorcode.get(error.errno, type(error).__name__)
    except Exception as error:
        return type(error).__name__


def say(name, *facts):
    print(f"ATTEMPTED {name}:", *facts, flush=True)


def forge(raw):
    """From now on, every reply of this process has these bytes."""
    values.encode = lambda *_: raw


def send(payload, kind=3, call=bytes(8), length=None):
    """Write a frame where replies go."""
    data = FRAME.pack(b"GRD1", kind, call, len(payload) if length is None else length) + payload
    while data:
        try:
            data = data[os.write(3, data) :]
        except BlockingIOError:
            continue
