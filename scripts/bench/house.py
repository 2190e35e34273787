"""A broker, a worker, a database and, if wanted, a web server of their own, started as `scripts.serve` starts them."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from django.core.management.utils import get_random_secret_key

from config import broker, processes
from scripts.serve import web_server

WORKERS = max(1, min(2, os.cpu_count() or 1))


@dataclass(frozen=True, slots=True)
class House:
    environment: dict[str, str]

    def run(self, *arguments: str) -> str:
        """Run Python with these arguments in the house's environment, and return what it prints."""
        command = [sys.executable, *arguments]
        return subprocess.run(command, env=self.environment, check=True, stdout=subprocess.PIPE, text=True).stdout


@contextmanager
def house(*, port: int | None = None) -> Iterator[House]:
    """A running house on SQLite. With `port`, its pages are served on 127.0.0.1; 0 leaves the choice to the kernel."""
    with tempfile.TemporaryDirectory(prefix="gradus-bench-") as name:
        folder, started = Path(name), []
        found = House(database_of(folder) | {"REDIS_URL": f"unix://{folder}/broker.sock"})
        (folder / "secret-key").write_text(get_random_secret_key())  # all its processes must believe one session
        found.run("manage.py", "migrate", "--verbosity=0")
        try:
            started.append(_start_broker(folder))
            started.append(_start(found, _WORKER))
            if port is not None:
                with socket.create_server(("127.0.0.1", port), backlog=128) as listener:
                    listener.set_inheritable(True)
                    started.append(_start(found, web_server(listener.fileno()), pass_fds=(listener.fileno(),)))
                    found.environment["BENCH_PORT"] = str(listener.getsockname()[1])
            yield found
        finally:
            for process in reversed(started):
                processes.stop(process, patience=20)


def database_of(folder: Path) -> dict[str, str]:
    """The environment of a process with a database in `folder`."""
    return {
        "PATH": os.environ["PATH"],
        "GRADUS_VAR": str(folder),
        "DATABASE_URL": f"sqlite:///{folder}/bench.sqlite3",
        "LOG_LEVEL": "ERROR",
    }


_WORKER = [sys.executable, "-m", "celery", "--app", "config", "worker", f"--concurrency={WORKERS}", "--loglevel=ERROR"]
_WORKER += ["--without-gossip", "--without-mingle"]


def _start_broker(folder: Path) -> subprocess.Popen[bytes]:
    socket_file = folder / "broker.sock"
    started = processes.start(broker.command(folder=folder, socket_file=socket_file), output=subprocess.DEVNULL)
    while not broker.answers(socket_file):
        time.sleep(0.05)
    return started


def _start(house: House, command: list[str], pass_fds: tuple[int, ...] = ()) -> subprocess.Popen[bytes]:
    return processes.start(command, environment=house.environment, output=subprocess.DEVNULL, pass_fds=pass_fds)
