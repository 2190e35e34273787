"""The Linux calls that Python does not offer, through ctypes. x86_64 only: numbers and structures differ elsewhere."""

from __future__ import annotations

import ctypes
import os
import struct

_libc = ctypes.CDLL(None, use_errno=True)

CLONE_NEWNS = 0x00020000
CLONE_NEWUTS = 0x04000000
CLONE_NEWIPC = 0x08000000
CLONE_NEWUSER = 0x10000000
CLONE_NEWPID = 0x20000000
CLONE_NEWNET = 0x40000000

MS_RDONLY = 1
MS_NOSUID = 2
MS_NODEV = 4
MS_NOEXEC = 8
MS_REMOUNT = 32
MS_BIND = 4096
MS_REC = 16384
MS_PRIVATE = 1 << 18
MS_RELATIME = 1 << 21
MNT_DETACH = 2

PR_SET_PDEATHSIG = 1
PR_SET_DUMPABLE = 4
PR_GET_SECCOMP = 21
PR_SET_SECCOMP = 22
PR_CAPBSET_DROP = 24
PR_SET_NO_NEW_PRIVS = 38
PR_GET_NO_NEW_PRIVS = 39
SECCOMP_MODE_FILTER = 2

_SYS_PIVOT_ROOT = 155
_SYS_CAPGET = 125
_SYS_CAPSET = 126
_SYS_CLOSE_RANGE = 436
_SYS_LANDLOCK_CREATE_RULESET = 444
_SYS_LANDLOCK_ADD_RULE = 445
_SYS_LANDLOCK_RESTRICT_SELF = 446

_CAPABILITY_VERSION_3 = 0x20080522


def _check(result: int, what: str) -> int:
    if result == -1:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")
    return result


def _syscall(number: int, *args: object) -> int:
    return int(_libc.syscall(ctypes.c_long(number), *args))


def unshare(flags: int) -> None:
    _check(_libc.unshare(flags), "unshare")


def setns(fd: int, kind: int) -> None:
    _check(_libc.setns(fd, kind), "setns")


def mount(source: str, target: str, kind: str = "", flags: int = 0, data: str = "") -> None:
    result = _libc.mount(
        source.encode(), target.encode(), kind.encode() or None, ctypes.c_ulong(flags), data.encode() or None
    )
    _check(result, f"mount on {target}")


def unmount(target: str, flags: int = MNT_DETACH) -> None:
    _check(_libc.umount2(target.encode(), flags), f"umount {target}")


def pivot_root(new: str, old: str) -> None:
    _check(_syscall(_SYS_PIVOT_ROOT, new.encode(), old.encode()), "pivot_root")


def prctl(option: int, argument: int = 0) -> int:
    zero = ctypes.c_ulong(0)
    return _check(_libc.prctl(option, ctypes.c_ulong(argument), zero, zero, zero), f"prctl {option}")


def die_with_parent(parent: int) -> None:
    """Be killed when `parent` (its pid as seen from here; 0 from an outer namespace) dies; exit if it has."""
    prctl(PR_SET_PDEATHSIG, 9)
    if os.getppid() != parent:
        os._exit(1)


def close_from(first: int) -> None:
    """Close every descriptor from `first` on."""
    _check(_syscall(_SYS_CLOSE_RANGE, ctypes.c_uint(first), ctypes.c_uint(0xFFFFFFFF), 0), "close_range")


def drop_capabilities() -> None:
    """Empty every capability set of this process, the bounding set included where that is permitted."""
    for capability in range(64):
        if _libc.prctl(PR_CAPBSET_DROP, ctypes.c_ulong(capability), 0, 0, 0) == -1:
            break
    header = struct.pack("<Ii", _CAPABILITY_VERSION_3, 0)
    _check(_syscall(_SYS_CAPSET, header, bytes(24)), "capset")


def effective_capabilities() -> int:
    header = ctypes.create_string_buffer(struct.pack("<Ii", _CAPABILITY_VERSION_3, 0))
    data = ctypes.create_string_buffer(24)
    _check(_syscall(_SYS_CAPGET, header, data), "capget")
    low, _, _, high, _, _ = struct.unpack("<6I", data.raw[:24])
    return int(low | high << 32)


def install_seccomp(program: bytes) -> None:
    """Load a BPF program (8-byte instructions) as this thread's filter. Needs no_new_privs."""
    buffer = ctypes.create_string_buffer(program, len(program))
    header = struct.pack("<HxxxxxxQ", len(program) // 8, ctypes.addressof(buffer))
    argument = ctypes.create_string_buffer(header, len(header))
    result = _libc.prctl(
        PR_SET_SECCOMP, ctypes.c_ulong(SECCOMP_MODE_FILTER), ctypes.c_ulong(ctypes.addressof(argument)), 0, 0
    )
    _check(result, "seccomp")


def landlock_abi() -> int:
    """The Landlock version of this kernel; 0 without Landlock."""
    return max(0, _syscall(_SYS_LANDLOCK_CREATE_RULESET, None, ctypes.c_size_t(0), ctypes.c_uint(1)))


def landlock_ruleset(attributes: bytes) -> int:
    size = ctypes.c_size_t(len(attributes))
    return _check(_syscall(_SYS_LANDLOCK_CREATE_RULESET, attributes, size, ctypes.c_uint(0)), "landlock ruleset")


def landlock_allow_beneath(ruleset: int, path_fd: int, access: int) -> None:
    rule = struct.pack("<Qi", access, path_fd)
    _check(_syscall(_SYS_LANDLOCK_ADD_RULE, ctypes.c_int(ruleset), 1, rule, ctypes.c_uint(0)), "landlock rule")


def landlock_restrict(ruleset: int) -> None:
    _check(_syscall(_SYS_LANDLOCK_RESTRICT_SELF, ctypes.c_int(ruleset), ctypes.c_uint(0)), "landlock restrict")


def clock_of(pid: int) -> int:
    """The clock id of another process' CPU time, for `time.clock_gettime` (clock_getcpuclockid's encoding)."""
    return (~pid << 3) | 2
