"""What a confined process may see of the file system, and that it may reach no port and signal no one outside."""

from __future__ import annotations

import os
import struct
from collections.abc import Sequence

from grader.sandbox import linux

_READ_FILE = 1 << 2
_READ_DIR = 1 << 3
_WRITE_FILE = 1 << 1
_MAKE_AND_REMOVE = (1 << 4) | (1 << 5) | (1 << 7) | (1 << 8)  # remove dir, remove file, make dir, make regular file
_TRUNCATE = 1 << 14
_HANDLED_FS_BY_ABI = {1: (1 << 13) - 1, 2: (1 << 14) - 1, 3: (1 << 15) - 1, 4: (1 << 15) - 1, 5: (1 << 16) - 1}
_HANDLED_TCP = 0b11
_SCOPED = 0b11  # abstract sockets, signals


def restrict(readable: Sequence[str], writable: Sequence[str]) -> int:
    """Make a ruleset and return its descriptor; the caller restricts itself after its last change of identity."""
    abi = linux.landlock_abi()
    handled = _HANDLED_FS_BY_ABI[min(abi, 5)]
    attributes = struct.pack("<Q", handled)
    if abi >= 4:
        attributes += struct.pack("<Q", _HANDLED_TCP)
    if abi >= 6:
        attributes += struct.pack("<Q", _SCOPED)
    ruleset = linux.landlock_ruleset(attributes)
    for path in readable:
        _allow(ruleset, path, _READ_FILE | _READ_DIR)
    for path in writable:
        _allow(ruleset, path, (_READ_FILE | _READ_DIR | _WRITE_FILE | _MAKE_AND_REMOVE | _TRUNCATE) & handled)
    return ruleset


def _allow(ruleset: int, path: str, access: int) -> None:
    fd = os.open(path, os.O_PATH | os.O_CLOEXEC)
    try:
        if not os.path.isdir(path):
            access &= ~(_READ_DIR | _MAKE_AND_REMOVE)
        linux.landlock_allow_beneath(ruleset, fd, access)
    finally:
        os.close(fd)
