"""Starting programs that cannot outlive us. Neither Django nor Celery in here."""

import contextlib
import ctypes
import os
import signal
import subprocess
from collections.abc import Mapping, Sequence
from typing import IO

PR_SET_PDEATHSIG = 1
_libc = ctypes.CDLL(None, use_errno=True)


def die_with_parent() -> None:
    """Ask the kernel to kill this process when its parent dies, however that happens."""
    _libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)


def start(
    command: Sequence[str],
    *,
    environment: Mapping[str, str] | None = None,
    output: IO[bytes] | int | None = None,
    pass_fds: Sequence[int] = (),
    user: int | None = None,
) -> subprocess.Popen[bytes]:
    """Start a program in a session of its own (Ctrl-C reaches only us) that the kernel kills when we die.

    Call it from the main thread: the kernel watches the thread that started the program.
    """
    parent = os.getpid()

    def bind() -> None:
        die_with_parent()
        if os.getppid() != parent:
            os._exit(1)

    return subprocess.Popen(
        command,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=output,
        stderr=subprocess.STDOUT if output is not None else None,
        pass_fds=pass_fds,
        user=user,
        group=user,
        extra_groups=[] if user is not None else None,
        start_new_session=True,
        preexec_fn=bind,
    )


def stop(process: subprocess.Popen[bytes], *, patience: float, kind: int = signal.SIGTERM) -> None:
    """Ask the program to end, wait `patience` seconds, then kill it and whatever is left in its session's group."""
    if process.poll() is None:
        process.send_signal(kind)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(patience)
    kill_group(process)
    process.wait()


def kill_group(process: subprocess.Popen[bytes]) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
