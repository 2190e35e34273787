"""`make run`: whose passwords may be published, and who may use a folder."""

import os
import signal
import socket
import subprocess
import sys
import urllib.request
from pathlib import Path

import psutil
import pytest

from scripts.serve import may_have_demo_people, take
from tests.services import wait_until

BASE = Path(__file__).resolve().parent.parent.parent


@pytest.mark.parametrize(
    "variables, may",
    [
        ({}, True),
        ({"DATABASE_URL": "sqlite:////tmp/mine.sqlite3"}, True),
        ({"DATABASE_URL": "postgres://me@server/name"}, False),
        ({"DATABASE_URL_FILE": "/run/secrets/database"}, False),
        ({"SECRET_KEY": "k"}, False),
        ({"SECRET_KEY_FILE": "/run/secrets/key"}, False),
    ],
)
def test_demo_people_exist_in_the_local_default_only(variables: dict[str, str], may: bool) -> None:
    assert may_have_demo_people(variables) is may


def test_two_cannot_run_on_one_folder(tmp_path: Path) -> None:
    with take(tmp_path), pytest.raises(SystemExit, match="already runs with the data in"):
        take(tmp_path)
    take(tmp_path).close()


def sandboxes(house: int) -> list[psutil.Process]:
    """The warm processes under that supervisor."""
    family = psutil.Process(house).children(recursive=True)
    return [member for member in family if "grader.sandbox.zygote" in command_line(member)]


def command_line(process: psutil.Process) -> str:
    try:
        return " ".join(process.cmdline())
    except psutil.Error:  # it has just ended
        return ""


@pytest.fixture(scope="module")
def var(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One folder for all starts: the first proves the exercises, the next find them proven."""
    return tmp_path_factory.mktemp("var")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_everything_starts_answers_and_is_gone_afterwards(var: Path, number: signal.Signals, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        environment = {"PATH": os.environ["PATH"], "GRADUS_VAR": str(var)}
        listener.set_inheritable(True)
        command = [sys.executable, "-m", "scripts.serve", str(listener.fileno())]
        with (tmp_path / "said").open("wb") as said:
            house = subprocess.Popen(
                command, cwd=BASE, env=environment, pass_fds=[listener.fileno()], stdout=said, stderr=said
            )
    try:
        welcome = f"Gradus is at http://127.0.0.1:{port}/"
        wait_until(
            lambda: welcome in (tmp_path / "said").read_text() or house.poll() is not None, seconds=300, what="welcome"
        )
        assert house.poll() is None, (tmp_path / "said").read_text()
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz") as reply:
            assert reply.status == 200
        wait_until(lambda: sandboxes(house.pid) != [], seconds=30, what="the worker is warm")
        family = psutil.Process(house.pid).children(recursive=True)
        house.send_signal(number)
        house.wait(40)
        _, left = psutil.wait_procs(family, timeout=10)
        assert left == []
    finally:
        house.kill()
        house.wait()
