"""Real services for tests: brokers and workers, as context managers and as fixtures.

PostgreSQL is not here: the suite runs the same tests on it by giving them a DATABASE_URL.
"""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

import pytest
from celery import current_app
from django.db import connection

from config import broker, env, processes

BASE = Path(__file__).resolve().parent.parent


def wait_until(condition: Callable[[], bool], *, seconds: float, what: str) -> None:
    until = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > until:
            pytest.fail(f"after {seconds} s still not: {what}")
        time.sleep(0.02)


@dataclass(slots=True)
class Broker:
    """A running server; `kill` and `start` it at will, its append-only file stays."""

    command: list[str]
    socket_file: Path
    process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"unix://{self.socket_file}"

    def start(self) -> None:
        self.process = processes.start(self.command, output=subprocess.DEVNULL)
        wait_until(lambda: broker.answers(self.socket_file), seconds=10, what="the broker answers")

    def kill(self) -> None:
        assert self.process
        self.process.kill()
        self.process.wait()


@contextmanager
def running_broker(program: str) -> Iterator[Broker]:
    """`program` is "embedded" (Valkey, installed by pip) or "redis-server" (the system's)."""
    folder = Path(tempfile.mkdtemp(prefix="gradus-broker-"))
    socket_file = folder / "broker.sock"
    command = broker.command(folder=folder, socket_file=socket_file)
    if program != "embedded":
        command[0] = program
    server = Broker(command, socket_file)
    try:
        server.start()
        yield server
    finally:
        if server.process:
            processes.stop(server.process, patience=5)
        shutil.rmtree(folder)


def usable(program: str) -> str:
    """The program's path; without it a test is skipped here, and fails in CI."""
    if program == "embedded":
        return program
    path = shutil.which(program)
    if path is None and os.environ.get("CI"):
        pytest.fail(f"CI must have {program}")
    if path is None:
        pytest.skip(f"{program} is not installed")
    return path


@pytest.fixture(params=["embedded", "redis-server"])
def any_broker(request: pytest.FixtureRequest) -> Iterator[Broker]:
    """Once the embedded broker, once a real Redis; this process' own wake-ups and progress go there, too."""
    with running_broker(usable(request.param)) as server, connected_to(server):
        yield server


@pytest.fixture
def embedded_broker() -> Iterator[Broker]:
    with running_broker("embedded") as server, connected_to(server):
        yield server


@contextmanager
def connected_to(server: Broker) -> Iterator[None]:
    redis = env.redis(server.url)
    names = ("broker_url", "broker_read_url", "broker_write_url")
    before = {name: current_app.conf[name] for name in names}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("django.conf.settings.REDIS_URL", redis.client)
        current_app.conf.update(dict.fromkeys(names, redis.celery))
        try:
            yield
        finally:
            current_app.conf.update(before)


def database_url() -> str:
    """The test database as another process must be told it."""
    settings = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"sqlite:///{quote(str(settings['NAME']))}"
    return f"postgres://{settings['USER']}@/{settings['NAME']}?host={quote(settings['HOST'])}"


StartWorker = Callable[..., subprocess.Popen[bytes]]


@contextmanager
def workers(server: Broker, folder: Path) -> Iterator[StartWorker]:
    """A function that starts a real Celery worker on the test database; all are stopped at the end."""
    environment = {
        "PATH": os.environ["PATH"],
        "DATABASE_URL": database_url(),
        "REDIS_URL": server.url,
        "GRADUS_VAR": str(folder),
    }
    celery = [sys.executable, "-m", "celery", "--app", "config", "worker", "--without-gossip", "--without-mingle"]

    with ExitStack() as stack:

        def start(*, concurrency: int = 1, unprivileged: bool = False) -> subprocess.Popen[bytes]:
            """`unprivileged`: root that can read everybody's files, as PostgreSQL's socket, and no more."""
            log = stack.enter_context((folder / f"worker-{time.monotonic_ns()}.log").open("wb"))
            command = [*celery, f"--concurrency={concurrency}", "--loglevel=INFO"]
            if unprivileged:
                command = ["setpriv", "--inh-caps=-all", "--bounding-set=-all,+dac_override", *command]
            process = processes.start(command, environment=environment, output=log)
            stack.callback(processes.stop, process, patience=15, kind=signal.SIGTERM)
            return process

        yield start


@pytest.fixture
def start_worker(transactional_db: None, any_broker: Broker, tmp_path: Path) -> Iterator[StartWorker]:
    with workers(any_broker, tmp_path) as start:
        yield start
