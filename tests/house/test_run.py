"""`run.py`: one clear sentence for whatever stops it."""

import ast
import contextlib
import errno
import importlib
import io
import json
import os
import re
import socket
import subprocess
import sys
import threading
import time
import zipfile
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.metadata import requires
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


# PyTorch, from an index on this machine


FILE = "torch-2.13.0+cpu-cp{0}{1}-cp{0}{1}-manylinux_2_28_x86_64.whl".format(*sys.version_info[:2])


def a_wheel(*requires: str) -> bytes:
    """A PyTorch that holds nothing but what it asks for."""
    name = "torch-2.13.0+cpu.dist-info"
    tag = FILE.removesuffix(".whl").split("-", 2)[2]
    needs = "".join(f"Requires-Dist: {one}\n" for one in requires)
    files = {
        f"{name}/METADATA": f"Metadata-Version: 2.1\nName: torch\nVersion: 2.13.0+cpu\n{needs}",
        f"{name}/WHEEL": f"Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: false\nTag: {tag}\n",
        "torch/__init__.py": "",
    }
    record = "".join(f"{path},,\n" for path in (*files, f"{name}/RECORD"))
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as wheel:
        for path, text in {**files, f"{name}/RECORD": record}.items():
            wheel.writestr(path, text)
    return content.getvalue()


class Index(ThreadingHTTPServer):
    """A package index; what its page on PyTorch does is `how`."""

    daemon_threads = True

    def __init__(self, how: str) -> None:
        super().__init__(("127.0.0.1", 0), Answer)
        self.how, self.asked = how, 0
        self.url = f"http://127.0.0.1:{self.server_port}/whl/cpu"


class Answer(BaseHTTPRequestHandler):
    server: Index

    def do_GET(self) -> None:
        self.server.asked += 1
        if self.path.endswith(".whl"):
            return self.send(200, a_wheel("filelock", "sympy>=1.13.3"))
        if self.server.how == "hangs":
            return time.sleep(30)
        if self.server.how == "drips":
            self.send_response(200)
            self.end_headers()
            with contextlib.suppress(OSError):
                for _ in range(100):
                    self.wfile.write(b"<!doctype html>")
                    time.sleep(0.3)
            return None
        if self.server.how == "fails":
            return self.send(503, b"")
        name = FILE if self.server.how == "answers" else FILE.replace("2.13.0", "2.12.0")
        link = f'<a href="/files/{name.replace("+", "%2B")}">{name}</a>'
        return self.send(200, f"<!doctype html><body>{link}</body>".encode(), "text/html")

    def send(self, status: int, content: bytes, kind: str = "application/octet-stream") -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_request(self, *arguments: object) -> None:
        """No line for each request."""


@pytest.fixture
def start_index(run: ModuleType, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], Index]]:
    """An index in place of PyTorch's, for a pip that has no configuration."""
    for name in [name for name in os.environ if name.startswith("PIP_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.delenv("TORCH_INDEX", raising=False)
    with contextlib.ExitStack() as stack:

        def start(how: str) -> Index:
            index = Index(how)
            threading.Thread(target=index.serve_forever, daemon=True).start()
            stack.callback(index.server_close)
            stack.callback(index.shutdown)
            monkeypatch.setattr(run, "TORCH_INDEX", index.url)
            return index

        yield start


def test_pytorch_comes_from_its_cpu_index_alone_and_without_its_dependencies(
    run: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, start_index: Callable[[str], Index]
) -> None:
    index = start_index("answers")
    subprocess.run([sys.executable, "-m", "venv", "--system-site-packages", str(tmp_path / "venv")], check=True)
    monkeypatch.setattr(run, "PYTHON", tmp_path / "venv/bin/python")
    assert run.torch_source(run.TORCH) == ["--index-url", index.url]
    run.install_torch(run.TORCH)
    packages = next((tmp_path / "venv/lib").glob("python*/site-packages"))
    assert (packages / "torch-2.13.0+cpu.dist-info").is_dir()
    assert not list(packages.glob("sympy*"))


@pytest.mark.parametrize(
    "how, told",
    [
        ("hangs", "does not answer within 3 seconds"),
        ("drips", "does not answer within 3 seconds"),
        ("fails", "cannot be read (HTTP Error 503"),
        ("lacks", "has no torch==2.13.0 for this Python"),
        ("refuses", "cannot be read (<urlopen error"),
    ],
)
def test_an_index_that_does_not_offer_pytorch_is_told_of_and_left_alone_at_once(
    run: ModuleType,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    start_index: Callable[[str], Index],
    how: str,
    told: str,
) -> None:
    index = start_index(how)
    if how == "refuses":
        index.shutdown()
        index.server_close()
    monkeypatch.setattr(run, "PYTHON", Path(sys.executable))
    began = time.monotonic()
    assert run.torch_source(run.TORCH) == []
    assert time.monotonic() - began < run.PROBE_SECONDS + 5  # pip's own start, too
    assert told in capsys.readouterr().out


@pytest.mark.parametrize("variable", ["PIP_INDEX_URL", "PIP_EXTRA_INDEX_URL", "PIP_FIND_LINKS", "PIP_NO_INDEX", "file"])
def test_where_pip_is_told_to_look_nothing_is_probed(
    run: ModuleType,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    start_index: Callable[[str], Index],
    variable: str,
) -> None:
    index = start_index("answers")
    monkeypatch.setattr(run, "PYTHON", Path(sys.executable))
    if variable == "file":
        (tmp_path / "pip.conf").write_text("[global]\nfind-links = /somewhere\n")
        monkeypatch.setenv("PIP_CONFIG_FILE", str(tmp_path / "pip.conf"))
    else:
        monkeypatch.setenv(variable, "1")
    assert run.torch_source(run.TORCH) == []
    assert index.asked == 0


def test_an_index_that_was_named_is_taken_without_a_look(
    run: ModuleType, monkeypatch: pytest.MonkeyPatch, start_index: Callable[[str], Index]
) -> None:
    index = start_index("answers")
    monkeypatch.setenv("TORCH_INDEX", "https://mirror.example/cpu")
    assert run.torch_source(run.TORCH) == ["--extra-index-url", "https://mirror.example/cpu"]
    assert index.asked == 0


def test_what_the_cpu_build_imports_is_in_the_lock() -> None:
    locked = {line.partition("==")[0] for line in (BASE / "requirements.txt").read_text("utf-8").splitlines()}
    needed = [re.match(r"[\w.-]+", line) for line in requires("torch") or [] if "extra ==" not in line]
    names = {match.group().lower() for match in needed if match}
    assert {name for name in names if not name.startswith(("nvidia-", "cuda-", "triton"))} <= locked


@pytest.mark.parametrize(
    "requires, warned, options",
    [
        (["filelock", "nvidia-cublas==13; platform_system == 'Linux'"], True, []),
        (["filelock"], False, ["--no-deps", "--only-binary", ":all:"]),
    ],
)
def test_a_cuda_build_is_warned_of_before_it_is_fetched_with_all_it_needs(
    run: ModuleType,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    requires: list[str],
    warned: bool,
    options: list[str],
) -> None:
    installed: list[str] = []

    def look(command: list[str], **_: object) -> subprocess.CompletedProcess[bytes]:
        if "--report" in command:
            report = {"install": [{"metadata": {"requires_dist": requires}}]}
            Path(command[command.index("--report") + 1]).write_text(json.dumps(report))
        else:
            installed.extend(command[command.index("install") + 1 :])
        return subprocess.CompletedProcess(command, 0)

    monkeypatch.setattr(run, "torch_source", lambda requirement: ["--index-url", "there"])
    monkeypatch.setattr(run.subprocess, "run", look)
    run.install_torch(run.TORCH)
    assert ("WITH CUDA" in capsys.readouterr().out) is warned
    assert installed == [*options, run.TORCH, "--index-url", "there"]


def test_a_disk_with_no_room_for_cuda_is_told_before_it_is_fetched(
    run: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    usage = run.shutil.disk_usage("/")._replace(free=3000 * 2**20)
    monkeypatch.setattr(run.shutil, "disk_usage", lambda folder: usage)
    monkeypatch.setattr(run, "torch_source", lambda requirement: [])
    monkeypatch.setattr(run, "build_of", lambda requirement, where: "cuda")
    with pytest.raises(run.Stop, match="has 3000 MB free, and installing needs 8000 MB"):
        run.install_torch(run.TORCH)
