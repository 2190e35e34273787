"""The supervisor keeps its programs running, stops them in order, and leaves nothing, even when it is killed."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from config.supervisor import NotReady, Program, Supervisor
from tests.services import wait_until

BASE = Path(__file__).resolve().parent.parent.parent
# Each program starts a child of its own, writes both process ids, and notes when it is asked to stop.
PROGRAM = """
import os, pathlib, signal, subprocess, sys, time
name, folder = sys.argv[1], pathlib.Path(sys.argv[2])
def stop(number, frame):
    with (folder / "stopped").open("a") as file: file.write(name + "\\n")
    sys.exit(0)
signal.signal(signal.SIGTERM, signal.SIG_IGN if name == "stubborn" else stop)
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
(folder / f"{name}.pids.new").write_text(f"{os.getpid()} {child.pid}")
(folder / f"{name}.pids.new").rename(folder / f"{name}.pids")
time.sleep(600)
"""
SUPERVISE = """
import pathlib, sys
from config.supervisor import Program, Supervisor
folder, names = pathlib.Path(sys.argv[1]), sys.argv[2:]
Supervisor(
    [Program(n, [sys.executable, "-c", {program!r}, n, str(folder)], patience=1) for n in names], logs=folder / "logs"
).run()
"""


def pids(folder: Path, name: str) -> tuple[int, int]:
    file = folder / f"{name}.pids"
    wait_until(file.exists, seconds=10, what=f"{name} runs")
    program, child = file.read_text().split()
    return int(program), int(child)


def runs(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


class House:
    """A supervisor in a process of its own."""

    def __init__(self, folder: Path, *names: str) -> None:
        code = SUPERVISE.format(program=PROGRAM)
        self.process = subprocess.Popen(
            [sys.executable, "-c", code, str(folder), *names],
            cwd=BASE,
            stdout=subprocess.PIPE,
            text=True,
            # Under nohup a hang-up is ignored, by whoever inherits that; these tests are about one that is heard.
            preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_DFL),
        )
        self.members = {name: pids(folder, name) for name in names}

    def everything(self) -> list[int]:
        return [pid for pair in self.members.values() for pid in pair]


StartHouse = Callable[..., House]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[StartHouse]:
    houses: list[House] = []

    def make(*names: str) -> House:
        houses.append(House(tmp_path, *names))
        return houses[-1]

    yield make
    for house in houses:
        house.process.kill()
        house.process.communicate()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_stops_everything_in_order(start: StartHouse, tmp_path: Path, number: signal.Signals) -> None:
    house = start("broker", "worker", "web")
    house.process.send_signal(number)
    house.process.communicate(timeout=20)
    assert house.process.returncode == 0
    assert (tmp_path / "stopped").read_text().split() == ["web", "worker", "broker"]
    assert [pid for pid in house.everything() if runs(pid)] == []


def test_a_program_that_will_not_stop_is_killed(start: StartHouse) -> None:
    house = start("stubborn")
    house.process.send_signal(signal.SIGTERM)
    house.process.communicate(timeout=20)
    assert [pid for pid in house.everything() if runs(pid)] == []


def test_a_killed_supervisor_leaves_no_program(start: StartHouse) -> None:
    house = start("broker", "worker")
    house.process.kill()
    programs = [program for program, _ in house.members.values()]
    wait_until(lambda: not any(runs(pid) for pid in programs), seconds=5, what="the programs are gone")
    for _, child in house.members.values():  # these bind themselves to their parent in Gradus; here they do not
        os.kill(child, signal.SIGKILL)


def test_a_program_that_dies_is_started_again_and_said(start: StartHouse, tmp_path: Path) -> None:
    house = start("worker")
    first, child = house.members["worker"]
    (tmp_path / "worker.pids").unlink()
    os.kill(first, signal.SIGKILL)
    second, _ = pids(tmp_path, "worker")
    assert second != first
    assert not runs(child), "what the dead program left in its group is killed, too"
    house.process.send_signal(signal.SIGTERM)
    said, _ = house.process.communicate(timeout=20)
    assert "the worker was killed by signal 9; starting it again" in said


def test_a_program_that_does_not_come_up_is_said_with_its_last_words(tmp_path: Path) -> None:
    command = [sys.executable, "-c", "raise SystemExit('no such luck')"]
    supervisor = Supervisor([Program("broker", command, patience=1, ready=lambda: False)], logs=tmp_path)
    with pytest.raises(NotReady, match=r"^The broker did not start \(no such luck\); see .*broker.log\.$"):
        supervisor.run()
