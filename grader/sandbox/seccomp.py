"""The system-call allow-list, as a classic BPF program. Everything not named answers EPERM.

The list holds what Python, numpy and torch use to compute; beside each argument filter stands what it is for.
"""

from __future__ import annotations

import signal
import struct
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

_AUDIT_ARCH_X86_64 = 0xC000003E
_X32_BIT = 0x40000000
_LOAD = 0x20
_JUMP_EQUAL = 0x15
_JUMP_GREATER_EQUAL = 0x35
_AND = 0x54
_RETURN = 0x06
_ALLOW = 0x7FFF0000
_KILL_PROCESS = 0x80000000
_ERRNO = 0x00050000
_EPERM = 1
_ENOSYS = 38

# Frequent ones first: the program is walked in order.
_PLAIN: dict[str, int] = {
    "read": 0,
    "write": 1,
    "munmap": 11,
    "brk": 12,
    "futex": 202,
    "madvise": 28,
    "mprotect": 10,
    "close": 3,
    "fstat": 5,
    "newfstatat": 262,
    "openat": 257,
    "lseek": 8,
    "rt_sigaction": 13,
    "rt_sigprocmask": 14,
    "rt_sigreturn": 15,
    "mremap": 25,
    "getrandom": 318,
    "exit_group": 231,
    "stat": 4,
    "lstat": 6,
    "poll": 7,
    "pread64": 17,
    "pwrite64": 18,
    "readv": 19,
    "writev": 20,
    "access": 21,
    "select": 23,
    "sched_yield": 24,
    "dup": 32,
    "dup2": 33,
    "pause": 34,
    "nanosleep": 35,
    "getitimer": 36,
    "alarm": 37,
    "setitimer": 38,
    "getpid": 39,
    "exit": 60,
    "wait4": 61,
    "uname": 63,
    "ftruncate": 77,
    "getdents": 78,
    "getcwd": 79,
    "chdir": 80,
    "rename": 82,
    "mkdir": 83,
    "rmdir": 84,
    "unlink": 87,
    "readlink": 89,
    "umask": 95,
    "gettimeofday": 96,
    "getrusage": 98,
    "sysinfo": 99,
    "times": 100,
    "getuid": 102,
    "getgid": 104,
    "geteuid": 107,
    "getegid": 108,
    "getppid": 110,
    "getgroups": 115,
    "getresuid": 118,
    "getresgid": 120,
    "rt_sigpending": 127,
    "rt_sigtimedwait": 128,
    "rt_sigsuspend": 130,
    "sigaltstack": 131,
    "statfs": 137,
    "fstatfs": 138,
    "arch_prctl": 158,
    "gettid": 186,
    "time": 201,
    "getdents64": 217,
    "set_tid_address": 218,
    "restart_syscall": 219,
    "epoll_wait": 232,
    "epoll_ctl": 233,
    "mkdirat": 258,
    "unlinkat": 263,
    "renameat": 264,
    "readlinkat": 267,
    "faccessat": 269,
    "pselect6": 270,
    "ppoll": 271,
    "set_robust_list": 273,
    "epoll_pwait": 281,
    "epoll_create1": 291,
    "dup3": 292,
    "pipe2": 293,
    "getcpu": 309,
    "renameat2": 316,
    "statx": 332,
    "rseq": 334,
    "faccessat2": 439,
}
_NO_SUCH_CALL: dict[str, int] = {"clone3": 435, "openat2": 437}
_MMAP, _FCNTL, _IOCTL, _PRCTL, _TGKILL, _RECVMSG = 9, 72, 16, 157, 234, 47
_SCHED_GETAFFINITY, _PRLIMIT64, _GET_ROBUST_LIST = 204, 302, 274
_CLOCK_CALLS = {"clock_gettime": 228, "clock_getres": 229, "clock_nanosleep": 230}
# The machine's clocks, and a process' and a thread's own (2, 3). Negative ids are other processes' processor clocks.
_OWN_CLOCKS = (*range(8), 11)
_CLOCK_SCOPES = (2, 6)  # CPUCLOCK_SCHED of a process, and of a thread
_MAP_TYPE, _MAP_PRIVATE, _MAP_GROWSDOWN, _MAP_HUGETLB = 0x0F, 0x02, 0x100, 0x40000
# prlimit64(0, …, NULL, …): its own limits, read alone. By lowering its CPU limit a process could have itself killed by
# the kernel, which would look like a kill from outside.
_OWN_LIMITS = (16, 32, 36)
_FCNTL_COMMANDS = (0, 1, 2, 3, 4, 1030)  # duplicate and flags; never locks, leases, owners or seals
_IOCTLS = (0x5401, 0x5413, 0x5421, 0x5450, 0x5451)  # TCGETS, TIOCGWINSZ, FIONBIO, FIONCLEX, FIOCLEX
_PRCTLS = (15, 16, 21, 39, 0x53564D41)  # names, "am I filtered", and malloc naming its mappings


@dataclass(frozen=True, slots=True)
class _Filter:
    """Allow `number` only if argument `index`, masked, is one of `values`."""

    number: int
    index: int
    values: tuple[int, ...]
    mask: int = 0xFFFFFFFF


def program(own_pid: int, receive_fd: int | None = None) -> bytes:
    """The filter for a process `own_pid`; `receive_fd` may receive messages.

    Only the checker has one, and only the checker may read the clock of another process: the learner's.
    """
    own = (0, own_pid)
    filters = [
        # A mapping that grows downwards counts as stack, which RLIMIT_DATA does not bound; reserved huge pages are no
        # process' private memory by the kernel's count.
        _Filter(_MMAP, 3, (_MAP_PRIVATE,), _MAP_TYPE | _MAP_GROWSDOWN | _MAP_HUGETLB),
        _Filter(_FCNTL, 1, _FCNTL_COMMANDS),
        _Filter(_IOCTL, 1, _IOCTLS),
        _Filter(_PRCTL, 0, _PRCTLS),
        _Filter(_TGKILL, 0, (own_pid,)),
        # On others these would reach past a pid namespace that is missing at levels C and D.
        _Filter(_SCHED_GETAFFINITY, 0, own),
        _Filter(_GET_ROBUST_LIST, 0, own),
    ]
    if receive_fd is None:
        clocks = (*_OWN_CLOCKS, *(_clock_of(pid) | scope for pid in own for scope in _CLOCK_SCOPES))
        filters += [_Filter(number, 0, clocks) for number in _CLOCK_CALLS.values()]
        return _assemble(_PLAIN.values(), filters, _NO_SUCH_CALL)
    filters.append(_Filter(_RECVMSG, 0, (receive_fd,)))
    return _assemble((*_PLAIN.values(), *_CLOCK_CALLS.values()), filters, _NO_SUCH_CALL)


def _clock_of(pid: int) -> int:
    """Processor clocks of a process or thread, as the kernel numbers them; one of _CLOCK_SCOPES says which."""
    return (~pid << 3) & 0xFFFFFFFF


def _assemble(allowed: Iterable[int], filters: Iterable[_Filter], missing: Mapping[str, int]) -> bytes:
    code = [
        _instruction(_LOAD, value=4),
        _instruction(_JUMP_EQUAL, 1, 0, _AUDIT_ARCH_X86_64),
        _instruction(_RETURN, value=_KILL_PROCESS),
        _instruction(_LOAD, value=0),
        _instruction(_JUMP_GREATER_EQUAL, 0, 1, _X32_BIT),
        _instruction(_RETURN, value=_ERRNO | _EPERM),
    ]
    for number in allowed:
        code += [_instruction(_JUMP_EQUAL, 0, 1, number), _instruction(_RETURN, value=_ALLOW)]
    for number in missing.values():
        code += [_instruction(_JUMP_EQUAL, 0, 1, number), _instruction(_RETURN, value=_ERRNO | _ENOSYS)]
    code += _refusal(_TGKILL, 2, signal.SIGKILL)
    code += _only_zeros(_PRLIMIT64, _OWN_LIMITS)
    for rule in filters:
        code += _filter(rule)
    code.append(_instruction(_RETURN, value=_ERRNO | _EPERM))
    return b"".join(code)


def _only_zeros(number: int, words: Iterable[int]) -> list[bytes]:
    """Allow `number` only if these 32-bit words of its arguments, given by offset, are all 0."""
    body: list[bytes] = []
    for word in words:
        body += [_instruction(_LOAD, value=word), _instruction(_JUMP_EQUAL, 1, 0, 0)]
        body.append(_instruction(_RETURN, value=_ERRNO | _EPERM))
    body.append(_instruction(_RETURN, value=_ALLOW))
    return [_instruction(_JUMP_EQUAL, 0, len(body), number), *body]


def _refusal(number: int, index: int, value: int) -> list[bytes]:
    """Refuse `number` with this value of argument `index`; else go on, with the number loaded again."""
    body = [
        _instruction(_LOAD, value=16 + 8 * index),
        _instruction(_JUMP_EQUAL, 0, 1, value),
        _instruction(_RETURN, value=_ERRNO | _EPERM),
        _instruction(_LOAD, value=0),
    ]
    return [_instruction(_JUMP_EQUAL, 0, len(body), number), *body]


def _filter(rule: _Filter) -> list[bytes]:
    """Only the low 32 bits of the argument count for the kernel's `int` and `unsigned int` parameters checked here."""
    body = [_instruction(_LOAD, value=16 + 8 * rule.index), _instruction(_AND, value=rule.mask)]
    for value in rule.values:
        body += [_instruction(_JUMP_EQUAL, 0, 1, value), _instruction(_RETURN, value=_ALLOW)]
    body.append(_instruction(_RETURN, value=_ERRNO | _EPERM))
    return [_instruction(_JUMP_EQUAL, 0, len(body), rule.number), *body]


def _instruction(code: int, jump_true: int = 0, jump_false: int = 0, value: int = 0) -> bytes:
    return struct.pack("<HBBI", code, jump_true, jump_false, value)
