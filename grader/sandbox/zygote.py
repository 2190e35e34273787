"""The warm process: everything is imported here once, and every job is a fork of it.

Started by `Sandbox` with a clean environment. It first finds out, by doing, which layers this machine has; then it
imports, moves into the minimal root, freezes the garbage collector, and forks one init per job. It starts no thread
and does no mathematics, so that a fork is always safe. Nothing secret ever enters it.

One job stands by: forked ahead, it waits for whatever comes next.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import json
import os
import select
import signal
import socket
import sys
import traceback
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from grader.sandbox import init, linux, memory, pages, view
from grader.sandbox.confine import Confinement, Layers, readable_paths, writable_paths
from grader.sandbox.orders import CHECKER_MEMORY_MB, TEMPORARY_MB, Order, Setup
from grader.sandbox.roles import COMMANDS_FD, run_checker, run_learner

_NAMESPACES = linux.CLONE_NEWNS | linux.CLONE_NEWPID | linux.CLONE_NEWNET | linux.CLONE_NEWIPC | linux.CLONE_NEWUTS
_CHECKER_CPU = 600
_SETUP_CAP = 65536
_HOST_NAME = "sandbox"
_UNWRITABLE = 128 << 20  # of address space: libraries loaded late, the stack
# Imported lazily by numpy, torch or learners; after the confinement it would be slower or impossible.
WARM = (
    "array bisect collections.abc copy dataclasses decimal enum fractions functools heapq inspect itertools json "
    "linecache math numbers operator random re statistics string textwrap time traceback typing unittest.mock warnings "
    "numpy numpy.fft numpy.linalg numpy.random numpy.ma numpy.polynomial numpy.testing numpy.typing "
    "torch torch.nn torch.nn.functional torch.autograd torch.fft torch.linalg torch.utils.data torch.testing "
    "torch.fx.experimental.symbolic_shapes torch._dynamo"  # the last by every optimiser, at the price of a second
).split()
_COLD_CODE = ("grader", "exercises/__init__.py", "exercises/families.py", "exercises/visible.py", "exercises/testkit")
OURS = ("grader.checker.main", "grader.sandbox.learner", "exercises.testkit.rehearsal")


@dataclass(frozen=True, slots=True)
class _Base:
    """What a zygote is by the time it can fork."""

    setup: Setup
    layers: Layers
    trees: list[str]
    handles: init.Handles
    statm: int
    self_fd: int


def main(control_fd: int) -> None:
    """Entry point of the executed interpreter. Its parent is the worker, whose next message is the setup."""
    linux.die_with_parent(os.getppid())
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    control = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET, fileno=control_fd)
    setup = Setup.decode(control.recv(_SETUP_CAP))
    refusals: dict[str, str] = {}
    namespaces = _unshare(setup, refusals)
    pid = os.fork()
    if pid:
        control.close()
        _, status = os.waitpid(pid, 0)
        os._exit(os.waitstatus_to_exitcode(status) & 0x7F)
    try:
        # As PID 1 of a new namespace the parent is outside, so its pid reads 0.
        linux.die_with_parent(0 if namespaces else os.getppid())
        base = _prepare(setup, namespaces, refusals)
        _hello(control, base, refusals)
        _serve(control, base)
    except BaseException as error:
        with contextlib.suppress(OSError):
            control.send(_json({"failed": f"{type(error).__name__}: {error}"}))
        raise


def _unshare(setup: Setup, refusals: dict[str, str]) -> bool:
    if "namespaces" in setup.without:
        refusals["namespaces"] = "left out by choice"
        return False
    try:
        if os.geteuid() == 0:
            linux.unshare(_NAMESPACES)
        else:
            uid, gid = os.geteuid(), os.getegid()
            linux.unshare(_NAMESPACES | linux.CLONE_NEWUSER)
            Path("/proc/self/setgroups").write_text("deny")
            Path("/proc/self/uid_map").write_text(f"0 {uid} 1")
            Path("/proc/self/gid_map").write_text(f"0 {gid} 1")
        socket.sethostname(_HOST_NAME)  # a learner may read it, and the machine's own is nobody's business
    except OSError as error:
        refusals["namespaces"] = f"the kernel or container refuses new namespaces ({error.strerror})"
        return False
    return True


def _prepare(setup: Setup, namespaces: bool, refusals: dict[str, str]) -> _Base:
    # In a user namespace only the one mapped identity exists.
    privileged = os.geteuid() == 0 and _real_root()
    join, events = _open_group(setup)
    handles = init.Handles(join, events, _open_directory("/proc"))
    trees = view.python_trees()
    sys.path[:] = [os.path.realpath(path) for path in sys.path]  # links outside the trees will not be there
    if not setup.light:
        for name in WARM:
            importlib.import_module(name)
        for name in OURS:
            importlib.import_module(name)
        for name in os.environ.keys() - set(setup.environment):  # libraries leave paths of this machine there
            del os.environ[name]
    del sys.path[0]  # the repository: nothing of it is needed from here on
    _assert_forkable()
    gc.collect()
    gc.freeze()
    pages.collapse_heap()
    statm = os.open("/proc/self/statm", os.O_RDONLY | os.O_CLOEXEC)
    minimal_root = namespaces and _enter_root(setup, [*trees, *_cold_code(setup)], refusals)
    layers = Layers(
        namespaces=namespaces,
        minimal_root=minimal_root,
        cgroups=bool(join),
        memory_watch=_allowed("memory_watch", setup, memory.can_watch(handles.proc), "no /proc tells it", refusals),
        own_uid=_allowed("own_uid", setup, privileged, "only root can change to another user", refusals),
        landlock=_allowed("landlock", setup, linux.landlock_abi() > 0, "this kernel has no Landlock", refusals),
        seccomp=_allowed("seccomp", setup, _has_seccomp(), "this kernel has no seccomp filters", refusals),
        no_new_privs=_allowed("no_new_privs", setup, True, "", refusals),
        rlimits=_allowed("rlimits", setup, True, "", refusals),
        clean_exec=_allowed("clean_exec", setup, True, "", refusals),
        closed_descriptors=_allowed("closed_descriptors", setup, True, "", refusals),
    )
    return _Base(setup, layers, trees, handles, statm, os.pidfd_open(os.getpid()))


def _allowed(name: str, setup: Setup, possible: bool, why_not: str, refusals: dict[str, str]) -> bool:
    if name in setup.without:
        refusals[name] = "left out by choice"
        return False
    if not possible:
        refusals[name] = why_not
    return possible


def _real_root() -> bool:
    """Whether uid 0 here may become any other user (not so in a user namespace that maps only one)."""
    return Path("/proc/self/uid_map").read_text().split()[2] != "1"


def _open_group(setup: Setup) -> tuple[list[int], int]:
    if not setup.join_paths:
        return [], -1
    join = [os.open(path, os.O_WRONLY | os.O_CLOEXEC) for path in setup.join_paths]
    return join, os.open(setup.events_path, os.O_RDONLY | os.O_CLOEXEC)


def _open_directory(path: str) -> int:
    try:
        return os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except OSError:
        return -1


def _enter_root(setup: Setup, trees: list[str], refusals: dict[str, str]) -> bool:
    if "minimal_root" in setup.without:
        refusals["minimal_root"] = "left out by choice"
        return False
    try:
        view.enter_minimal_root(view.outermost(trees))
    except OSError as error:
        refusals["minimal_root"] = f"the minimal root cannot be built ({error})"
        return False
    return True


def _cold_code(setup: Setup) -> list[str]:
    """A cold start executes a fresh interpreter inside the root, which must find itself and our own modules."""
    if not setup.code:
        return []
    interpreter = [sys.prefix, os.path.dirname(os.path.realpath(sys.executable))]
    return [os.path.realpath(path) for path in (*interpreter, *(f"{setup.code}/{part}" for part in _COLD_CODE))]


def _has_seccomp() -> bool:
    try:
        linux.prctl(linux.PR_GET_SECCOMP)
    except OSError:
        return False
    return True


def _assert_forkable() -> None:
    """One thread, and no writable memory that a fork would share."""
    threads = len(os.listdir("/proc/self/task"))
    if threads != 1:
        raise RuntimeError(f"the zygote has {threads} threads; forking it would not be safe")
    shared = [line for line in Path("/proc/self/maps").read_text().splitlines() if line.split()[1] == "rw-s"]
    if shared:
        raise RuntimeError(f"the zygote has writable shared memory: {shared[0]}")


def _hello(control: socket.socket, base: _Base, refusals: dict[str, str]) -> None:
    versions = {"python": ".".join(map(str, sys.version_info[:3]))}
    for name in ("numpy", "torch"):
        if name in sys.modules:
            versions[name] = str(sys.modules[name].__version__)
    control.send(_json({"layers": asdict(base.layers), "refusals": refusals, "versions": versions}))


def _serve(control: socket.socket, base: _Base) -> None:
    """Give away one job for every message, until the worker is gone."""
    poll = select.poll()
    poll.register(control.fileno(), select.POLLIN)
    children: dict[int, int] = {}

    def prepare() -> _Job:
        job = _start(control, base)
        children[job.pidfd] = job.pid
        poll.register(job.pidfd, select.POLLIN)
        return job

    # To examine a machine, or to measure a cold start, nothing may have been made ahead.
    ahead = not (base.setup.light or base.setup.code)
    standby = prepare() if ahead else None
    while True:
        for fd, _ in poll.poll():
            if fd in children:
                poll.unregister(fd)
                os.waitpid(children.pop(fd), 0)
                os.close(fd)
            elif not control.recv(16):
                os._exit(0)
            else:
                job = standby or prepare()
                socket.send_fds(control, [b"started"], [job.pidfd, job.control.fileno(), job.case.fileno()])
                job.control.close()
                job.case.close()
                standby = prepare() if ahead else None


@dataclass(frozen=True, slots=True)
class _Job:
    """A started init, and the worker's ends of the channels to it and to its checker."""

    pid: int
    pidfd: int
    control: socket.socket
    case: socket.socket


def _start(control: socket.socket, base: _Base) -> _Job:
    """Fork the job's init, as PID 1 of its own namespace where there are namespaces."""
    ours, theirs = zip(*(socket.socketpair() for _ in range(2)), strict=True)
    if base.layers.namespaces:
        linux.unshare(linux.CLONE_NEWPID)
    parent = os.getpid()
    pid = os.fork()
    if pid == 0:
        try:
            for end in (control, *ours):
                end.close()
            linux.die_with_parent(0 if base.layers.namespaces else parent)
            _become_init(base, *(end.detach() for end in theirs))
            os._exit(0)
        except BaseException:  # noqa: BLE001 - a fork must never return into the zygote's loop
            traceback.print_exc()
        finally:
            os._exit(1)
    if base.layers.namespaces:
        linux.setns(base.self_fd, linux.CLONE_NEWPID)
    for end in theirs:
        end.close()
    return _Job(pid, os.pidfd_open(pid), *ours)


def _become_init(base: _Base, init_control: int, case: int) -> None:
    if base.layers.minimal_root:
        linux.unshare(linux.CLONE_NEWNS)
        uid = base.setup.learner_uid if base.layers.own_uid else 0
        view.mount_temporary(TEMPORARY_MB, uid)
        os.chdir(view.TEMPORARY)
    start = _starting_bytes(base)
    code = base.setup.code
    roles = init.Roles(
        checker=lambda parent: run_checker(_checker_plan(base, start), parent, code),
        learner=lambda parent, order: run_learner(_learner_plan(base, start, order), parent, order.reply_bytes, code),
    )
    init.main(init_control, case, roles, base.handles)


def _checker_plan(base: _Base, start: tuple[int, int]) -> Confinement:
    """`start` is (address space, data) in bytes that a fork begins with; a limit is what it may add to these."""
    space, data = start
    added = CHECKER_MEMORY_MB << 20
    return Confinement(
        layers=base.layers,
        uid=base.setup.checker_uid,
        readable=readable_paths(base.trees),
        writable=["/dev/null"],
        data_bytes=data + added,
        space_bytes=space + added + _UNWRITABLE,
        cpu_seconds=_CHECKER_CPU,
        canary=base.setup.canary,
        environment=base.setup.environment,
        receive_fd=COMMANDS_FD,
    )


def _learner_plan(base: _Base, start: tuple[int, int], order: Order) -> Confinement:
    space, data = start
    added = order.memory_mb << 20
    return Confinement(
        layers=base.layers,
        uid=base.setup.learner_uid,
        readable=readable_paths(base.trees),
        writable=writable_paths(base.layers.minimal_root),
        data_bytes=data + added,
        space_bytes=space + added + _UNWRITABLE,
        cpu_seconds=order.cpu_seconds,
        canary=base.setup.canary,
        environment=base.setup.environment,
    )


def _starting_bytes(base: _Base) -> tuple[int, int]:
    """Address space, and private writable memory in it, that a fork starts with: a limit is added to these."""
    fields = os.pread(base.statm, 200, 0).split()
    page = os.sysconf("SC_PAGE_SIZE")
    return int(fields[0]) * page, int(fields[5]) * page


def _json(facts: dict[str, Any]) -> bytes:
    return json.dumps(facts).encode()
