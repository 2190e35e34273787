"""`make run`: whose passwords may be published, and who may use a folder."""

import os
import signal
import socket
import subprocess
import sys
import urllib.request
from pathlib import Path

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


def members(session_of: Path) -> list[str]:
    """Command lines of all processes that were told of this folder."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if str(session_of).encode() in (folder / "environ").read_bytes() + (folder / "cmdline").read_bytes():
                found.append((folder / "cmdline").read_text().replace("\0", " "))
        except OSError:
            continue
    return found


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_everything_starts_answers_and_is_gone_afterwards(tmp_path: Path, number: signal.Signals) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        environment = {"PATH": os.environ["PATH"], "GRADUS_VAR": str(tmp_path)}
        listener.set_inheritable(True)
        command = [sys.executable, "-m", "scripts.serve", str(listener.fileno())]
        with (tmp_path / "said").open("wb") as said:
            house = subprocess.Popen(
                command, cwd=BASE, env=environment, pass_fds=[listener.fileno()], stdout=said, stderr=said
            )
    try:
        welcome = f"Gradus is at http://127.0.0.1:{port}/"
        wait_until(
            lambda: welcome in (tmp_path / "said").read_text() or house.poll() is not None, seconds=90, what="welcome"
        )
        assert house.poll() is None, (tmp_path / "said").read_text()
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz") as reply:
            assert reply.status == 200
        assert len(members(tmp_path)) >= 4
        house.send_signal(number)
        house.wait(40)
        wait_until(lambda: members(tmp_path) == [], seconds=10, what=f"nothing is left of {members(tmp_path)}")
    finally:
        house.kill()
        house.wait()
