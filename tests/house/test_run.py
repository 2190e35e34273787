"""`run.py`: one clear sentence for whatever stops it."""

import ast
import errno
import importlib
import json
import os
import socket
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

BASE = Path(__file__).resolve().parent.parent.parent


@pytest.fixture
def run() -> ModuleType:
    return importlib.import_module("run")


def call(*arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(BASE / "run.py"), *arguments]
    environment = {"PATH": os.environ["PATH"], **variables}
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


def test_an_old_python_can_read_it() -> None:
    ast.parse((BASE / "run.py").read_text("utf-8"), feature_version=(3, 6))


def test_an_old_python_gets_a_sentence() -> None:
    code = f"import sys, runpy; sys.version_info = (3, 9, 2); runpy.run_path({str(BASE / 'run.py')!r})"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert result.returncode == 1
    assert result.stderr == "Gradus needs Python 3.11 or newer, and this is Python 3.9.\n"


def test_an_unknown_command_names_the_known_ones() -> None:
    result = call("walk")
    assert result.returncode == 1
    assert result.stderr == "gradus: 'walk' is not a command; say one of run, install, test, check, bench.\n"


def test_a_busy_port_gets_a_sentence() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        result = call("run", PORT=str(port))
    assert result.returncode == 1
    assert result.stderr.startswith(f"gradus: Port {port} is busy; choose another with PORT=")
    assert len(result.stderr.splitlines()) == 1


@pytest.mark.parametrize("port", ["http", "0", "65536", "-1", "8000.0"])
def test_a_port_that_is_none_gets_a_sentence(port: str) -> None:
    result = call("run", PORT=port)
    assert result.returncode == 1
    assert result.stderr == f"gradus: PORT must be a whole number from 1 to 65535, but it is {port!r}.\n"


def test_a_missing_ensurepip_gets_a_sentence(run: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(run, "VENV", tmp_path / ".venv")
    monkeypatch.setattr(run, "PYTHON", tmp_path / ".venv/bin/python")
    monkeypatch.setattr(run.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(run.Stop, match="apt install python3-venv"):
        run.make_venv()


def test_a_full_disk_gets_a_sentence(run: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = run.shutil.disk_usage("/")._replace(free=50 * 2**20)
    monkeypatch.setattr(run.shutil, "disk_usage", lambda folder: usage)
    with pytest.raises(run.Stop, match="The disk is too full: .* has 50 MB free"):
        run.need_room()


def test_a_disk_that_fills_up_on_the_way_gets_a_sentence(run: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*arguments: str) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setitem(run.COMMANDS, "install", full)
    monkeypatch.setattr(sys, "argv", ["run.py", "install"])
    with pytest.raises(SystemExit, match="^gradus: The disk is full"):
        run.main()


@pytest.fixture
def small_venv(run: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A checkout of its own whose lock names nothing, with this Python standing in for its venv's."""
    venv = tmp_path / ".venv"
    (venv / "bin").mkdir(parents=True)
    (venv / "bin" / "python").symlink_to(sys.executable)
    (venv / "pyvenv.cfg").write_text("version = {}.{}.{}\n".format(*sys.version_info[:3]))
    (tmp_path / "requirements.txt").touch()
    for name, value in {"HERE": tmp_path, "VENV": venv, "STAMPS": venv / "gradus.json"}.items():
        monkeypatch.setattr(run, name, value)
    monkeypatch.setattr(run, "PYTHON", venv / "bin" / "python")
    return tmp_path


def test_a_failed_install_gets_a_sentence_and_is_tried_again(
    run: ModuleType, monkeypatch: pytest.MonkeyPatch, small_venv: Path
) -> None:
    (small_venv / "requirements.txt").write_text("no-such-package==1.0 --hash=sha256:" + "0" * 64)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    with pytest.raises(run.Stop, match="^Installing failed, and pip's message above says why"):
        run.install()
    assert run.read_stamps() == {}


def test_what_is_installed_is_installed_again_only_when_it_changes(
    run: ModuleType, monkeypatch: pytest.MonkeyPatch, small_venv: Path
) -> None:
    installed: list[str] = []
    monkeypatch.setattr(run, "install_lock", installed.append)
    monkeypatch.setattr(run, "install_torch", installed.append)
    run.install()
    run.install()
    assert installed == ["requirements.txt", run.TORCH]
    (small_venv / "requirements.txt").write_text("changed")
    run.install()
    assert installed == ["requirements.txt", run.TORCH, "requirements.txt"]


@pytest.mark.parametrize(
    "requires, warned",
    [(["filelock", "nvidia-cublas==13; platform_system == 'Linux'"], True), (["filelock"], False)],
)
def test_a_cuda_build_is_warned_of_before_it_is_fetched(
    run: ModuleType,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    requires: list[str],
    warned: bool,
) -> None:
    def look(command: list[str], **_: object) -> subprocess.CompletedProcess[bytes]:
        if "--report" in command:
            report = {"install": [{"metadata": {"requires_dist": requires}}]}
            Path(command[command.index("--report") + 1]).write_text(json.dumps(report))
        return subprocess.CompletedProcess(command, 0)

    monkeypatch.setattr(run.subprocess, "run", look)
    run.install_torch(run.TORCH)
    assert ("WITH CUDA" in capsys.readouterr().out) is warned
