"""All of Gradus on this machine: broker, worker, sweeper and web server, until Ctrl-C. Started by `run.py`.

Usage: python -m scripts.serve LISTENING_SOCKET_FD
"""

import fcntl
import os
import subprocess
import sys
import urllib.request
from collections.abc import Mapping
from pathlib import Path
from typing import IO
from urllib.error import URLError

from config import broker, env
from config.supervisor import NotReady, Program, Supervisor

BASE = Path(__file__).resolve().parent.parent
PYTHON = sys.executable
MANAGE = (PYTHON, str(BASE / "manage.py"))


def say(text: str) -> None:
    print(f"gradus: {text}", flush=True)


def take(var: Path) -> IO[str]:
    """Hold var/ for us alone: two brokers on one append-only file would spoil it. Keep the returned file open."""
    var.mkdir(mode=0o700, parents=True, exist_ok=True)
    lock = (var / "run.lock").open("w")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        lock.close()
        sys.exit(
            f"gradus: Gradus already runs with the data in {var}; stop it first, or set GRADUS_VAR to another folder."
        )
    return lock


def may_have_demo_people(variables: Mapping[str, str]) -> bool:
    """Their passwords are public: only the local default has them, never a server's database."""
    deployed = any(variables.get(name) for name in ("SECRET_KEY", "SECRET_KEY_FILE", "DATABASE_URL_FILE"))
    return not deployed and variables.get("DATABASE_URL", "sqlite:").startswith("sqlite:")


def set_up(environment: Mapping[str, str]) -> None:
    say("preparing the database, the course and its exercises")
    if subprocess.run([*MANAGE, "set_up"], env=environment, check=False).returncode:
        sys.exit("gradus: Preparing failed; the message above says why.")


def programs(*, var: Path, fd: int, workers: int, url: str, environment: Mapping[str, str]) -> list[Program]:
    """In the order in which they start; they stop in the opposite order."""
    result = []
    if not (environment.get("REDIS_URL") or environment.get("REDIS_URL_FILE")):
        socket_file = env.socket_path(var)
        broker.prepare(folder=var / "broker", socket_file=socket_file)
        result.append(
            Program(
                "broker",
                broker.command(folder=var / "broker", socket_file=socket_file),
                patience=10,
                ready=lambda: broker.answers(socket_file),
            )
        )
    celery = [PYTHON, "-m", "celery", "--app", "config", "worker", f"--concurrency={workers}", "--loglevel=INFO"]
    return [
        *result,
        Program("worker", [*celery, "--without-gossip", "--without-mingle"], patience=20, environment=environment),
        Program("sweeper", [*MANAGE, "sweep", "--loop"], patience=5, environment=environment),
        Program("web", web_server(fd), 8, environment, pass_fds=(fd,), ready=lambda: pages_answer(url)),
    ]


def web_server(fd: int) -> list[str]:
    gunicorn = [PYTHON, "-m", "gunicorn", "config.wsgi", f"--bind=fd://{fd}", "--worker-class=gthread", "--threads=8"]
    return [*gunicorn, "--timeout=60", "--graceful-timeout=5", "--no-control-socket"]


def pages_answer(url: str) -> bool:
    try:
        with urllib.request.urlopen(f"{url}healthz", timeout=2):
            return True
    except (URLError, OSError):
        return False


def main() -> None:
    fd = int(sys.argv[1])
    port = _port_of(fd)
    os.chdir(BASE)
    variables = env.Environment(os.environ)
    var = variables.folder("GRADUS_VAR", BASE / "var")
    workers = variables.number("WORKERS", min(2, os.cpu_count() or 1), least=1, most=64)
    demo = "1" if may_have_demo_people(os.environ) else "0"
    environment = {**os.environ, "GRADUS_DEMO": demo, "PYTHONUNBUFFERED": "1"}
    url = f"http://127.0.0.1:{port}/"
    lock = take(var)
    set_up(environment)
    people = demo_people(environment)
    with lock:
        Supervisor(
            programs(var=var, fd=fd, workers=workers, url=url, environment=environment),
            logs=var / "logs",
            say=say,
            when_ready=lambda: welcome(url, people),
        ).run()
    say("everything has stopped")


def welcome(url: str, people: str) -> None:
    demo = f"\n  Sign in with one of these names and passwords:\n\n{people}" if people else ""
    print(f"\n  Gradus is at {url}\n{demo}\n  Ctrl-C stops it.\n", flush=True)


def demo_people(environment: Mapping[str, str]) -> str:
    """Their names and passwords, or nothing where there are none."""
    if environment["GRADUS_DEMO"] != "1":
        return ""
    return subprocess.run([*MANAGE, "create_demo_people"], env=environment, stdout=subprocess.PIPE, text=True).stdout


def _port_of(fd: int) -> int:
    import socket

    with socket.socket(fileno=os.dup(fd)) as listener:
        return int(listener.getsockname()[1])


if __name__ == "__main__":
    try:
        main()
    except (env.BadSetting, NotReady) as error:
        sys.exit(f"gradus: {error}")
    except KeyboardInterrupt:
        sys.exit("\ngradus: Stopped.")
