"""How a forked process gives up everything it does not need, and then proves that it has.

The order matters: paths are opened while they still can be, identity changes before PDEATHSIG (which it would clear),
no_new_privs before Landlock and seccomp, and seccomp last because it forbids all of the rest.
"""

from __future__ import annotations

import contextlib
import errno
import os
import resource
import socket
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from grader.sandbox import landlock, linux, seccomp
from grader.sandbox.view import TEMPORARY

_STACK = 16 << 20
_FILE_SIZE = 16 << 20
_OPEN_FILES = 64
_DESCRIPTORS_TRIED = 256
_DEVICES = ("/dev/null", "/dev/zero", "/dev/urandom")


@dataclass(frozen=True, slots=True)
class Layers:
    """What this machine lets a sandbox have. Found by doing, at the zygote's start."""

    namespaces: bool
    minimal_root: bool
    cgroups: bool
    memory_watch: bool
    own_uid: bool
    landlock: bool
    seccomp: bool
    no_new_privs: bool
    rlimits: bool
    clean_exec: bool
    closed_descriptors: bool


@dataclass(frozen=True, slots=True)
class Confinement:
    """One process' share: who it becomes, what it may read and write, its limits.

    `data_bytes` bounds private writable memory (RLIMIT_DATA). `space_bytes` bounds the address space (RLIMIT_AS):
    memory that was written and then made read-only no longer counts as data, and page tables never do.
    """

    layers: Layers
    uid: int
    readable: Sequence[str]
    writable: Sequence[str]
    data_bytes: int
    space_bytes: int
    cpu_seconds: int
    canary: str
    environment: Sequence[str]  # the names that may be there
    receive_fd: int | None = None


class NotConfined(Exception):
    """A step failed, or the self-test could do what must be impossible. Nothing may run here."""


def confine(plan: Confinement, parent: int) -> None:
    """Confine this process, for good; raise `NotConfined`. Descriptors must have been tidied before."""
    try:
        _confine(plan, parent)
        self_test(plan)
    except OSError as error:
        raise NotConfined(f"a step of the confinement failed: {error}") from None


def _confine(plan: Confinement, parent: int) -> None:
    layers = plan.layers
    os.umask(0o077)
    if layers.landlock:
        ruleset = landlock.restrict(plan.readable, plan.writable)
    if layers.rlimits:
        _limit(plan)
    if layers.own_uid:
        os.setgroups([])
        os.setresgid(plan.uid, plan.uid, plan.uid)
        os.setresuid(plan.uid, plan.uid, plan.uid)
    linux.drop_capabilities()
    if linux.effective_capabilities():  # asked here: the call tells of other processes, too, and is refused later
        raise NotConfined("the process still has capabilities")
    linux.die_with_parent(parent)
    linux.prctl(linux.PR_SET_DUMPABLE, 0)
    if layers.no_new_privs:
        linux.prctl(linux.PR_SET_NO_NEW_PRIVS, 1)
    if layers.landlock:
        linux.landlock_restrict(ruleset)
        os.close(ruleset)
    if layers.seccomp:
        linux.install_seccomp(seccomp.program(os.getpid(), plan.receive_fd))


def _limit(plan: Confinement) -> None:
    for limit, value in _limits(plan).items():
        hard = resource.getrlimit(limit)[1]
        value = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.setrlimit(limit, (value, value))


def _limits(plan: Confinement) -> dict[int, int]:
    return {
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_FSIZE: _FILE_SIZE,
        resource.RLIMIT_NOFILE: _OPEN_FILES,
        resource.RLIMIT_MEMLOCK: 0,
        resource.RLIMIT_MSGQUEUE: 0,
        resource.RLIMIT_STACK: _STACK,
        resource.RLIMIT_CPU: plan.cpu_seconds,
        resource.RLIMIT_DATA: plan.data_bytes,
        resource.RLIMIT_AS: plan.space_bytes,
    }


def self_test(plan: Confinement) -> None:
    """Look for what must not be there, and try what must be impossible; raise `NotConfined` if anything of it is."""
    find_nothing_inherited(plan)
    _must_fail("open a file of the platform", lambda: os.close(os.open(plan.canary, os.O_RDONLY)))
    _must_fail("open /etc/passwd", lambda: os.close(os.open("/etc/passwd", os.O_RDONLY)))
    _must_fail("write beside the standard library", lambda: os.close(os.open(os.__file__, os.O_WRONLY)))
    if linux.prctl(linux.PR_GET_NO_NEW_PRIVS) != 1:
        raise NotConfined("no_new_privs is not set")
    if plan.layers.seccomp:
        if linux.prctl(linux.PR_GET_SECCOMP) != linux.SECCOMP_MODE_FILTER:
            raise NotConfined("no seccomp filter is loaded")
        _must_fail("open a socket", lambda: socket.socket(socket.AF_INET).close(), errno.EPERM)
        _must_fail("open a Unix socket", lambda: socket.socket(socket.AF_UNIX).close(), errno.EPERM)
        _must_fail("signal its parent", lambda: os.kill(os.getppid(), 0), errno.EPERM)
        _must_fail("start a process", _fork, errno.EPERM)


def find_nothing_inherited(plan: Confinement) -> None:
    """Raise `NotConfined` if a limit, a descriptor or the environment is not the planned one."""
    for limit, value in _limits(plan).items():
        if not 0 <= resource.getrlimit(limit)[1] <= value:
            raise NotConfined(f"resource limit {limit} is not set")
    for fd in range(4 if plan.receive_fd is None else plan.receive_fd + 1, _DESCRIPTORS_TRIED):
        with contextlib.suppress(OSError):
            os.fstat(fd)
            raise NotConfined(f"descriptor {fd} is still open")
    foreign = sorted(os.environ.keys() - {*plan.environment, "LC_CTYPE"})  # Python itself may set the last
    if foreign:
        raise NotConfined(f"the environment holds {foreign[0]}")


def _must_fail(what: str, attempt: Callable[[], None], number: int | None = None) -> None:
    try:
        attempt()
    except OSError as error:
        if number is None or error.errno == number:
            return
        raise NotConfined(f"trying to {what} failed unexpectedly: {error}") from None
    raise NotConfined(f"the confined process could {what}")


def _fork() -> None:
    pid = os.fork()
    if pid == 0:
        os._exit(0)
    os.waitpid(pid, 0)


def tidy_descriptors(keep: Sequence[int]) -> None:
    """Move the kept descriptors to 3, 4, … in order and close all others; 0, 1, 2 stay as they are."""
    high = [os.dup2(fd, 200 + index) for index, fd in enumerate(keep)]
    for index, fd in enumerate(high):
        os.dup2(fd, 3 + index)
    linux.close_from(3 + len(keep))


def readable_paths(trees: Sequence[str]) -> list[str]:
    extra = [path for path in (*_DEVICES, "/proc/cpuinfo") if os.path.exists(path)]
    return [*trees, *extra]


def writable_paths(minimal_root: bool) -> list[str]:
    """The job's own temporary directory, where there is one, and /dev/null."""
    return [TEMPORARY, "/dev/null"] if minimal_root else ["/dev/null"]
