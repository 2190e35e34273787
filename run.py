#!/usr/bin/env python3
"""Gradus in one command: `python3 run.py [run|install|test|check|bench]`, which `make` only passes on to.

Needs nothing but Python: makes `.venv`, installs what the lock files name, and hands over to the code in there.
Whatever stops it is said in one sentence. The syntax stays old enough for an old Python to read that sentence.
"""

import errno
import hashlib
import http.client
import importlib.util
import json
import os
import platform
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from pathlib import Path

if sys.version_info < (3, 11):
    sys.exit("Gradus needs Python 3.11 or newer, and this is Python %d.%d." % sys.version_info[:2])

HERE = Path(__file__).resolve().parent
VENV = HERE / ".venv"
PYTHON = VENV / "bin" / "python"
STAMPS = VENV / "gradus.json"
TORCH = "torch==2.13.0"
TORCH_INDEX = "https://download.pytorch.org/whl/cpu"
PROBE_SECONDS = 3
LISTING_MB = 16
SOURCES = ("index-url", "extra-index-url", "find-links", "no-index")
ROOM_MB = 2500
ROOM_WITH_CUDA_MB = 8000
CUDA_WARNING = """
  *******************************************************************************
  PyTorch will be installed WITH CUDA: a download of several gigabytes that Gradus
  does not use. For the small CPU build (about 200 MB) press Ctrl-C and start again
  once %s can be reached; or name a mirror of it:
      TORCH_INDEX=<address> python3 run.py     (or: make run TORCH_INDEX=<address>)
  *******************************************************************************
"""


class Stop(Exception):
    """Ends the program; the message is one sentence for the person who started it."""


def say(text: str) -> None:
    print("gradus: " + text, flush=True)


# The port


def listen() -> socket.socket:
    """Take the port before anything slow happens; the web server inherits it, so nobody can take it in between."""
    value = os.environ.get("PORT", "").strip() or "8000"
    if not (value.isascii() and value.isdigit() and 1 <= int(value) <= 65535):
        raise Stop("PORT must be a whole number from 1 to 65535, but it is %r." % value)
    listener = socket.socket()
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    for attempt in range(8):  # a server that was just killed may hold its port for another second
        try:
            listener.bind(("127.0.0.1", int(value)))
            listener.listen(128)
            return listener
        except OSError as error:
            if error.errno == errno.EACCES:
                raise Stop("Port %s is for root only; choose another with PORT=8001." % value) from error
            if error.errno != errno.EADDRINUSE:
                raise Stop("Port %s cannot be opened: %s." % (value, error.strerror)) from error
            if attempt < 7:
                time.sleep(0.3)
    raise Stop("Port %s is busy; choose another with PORT=8001, or stop what uses it." % value)


# The installation


def install(dev: bool = False) -> None:
    """Install each part whose lock file, Python or address has changed since it was last installed."""
    make_venv()
    parts = [("the locked packages", "requirements.txt", install_lock), ("PyTorch", TORCH, install_torch)]
    if dev:
        parts.append(("the locked packages for tests", "requirements-dev.txt", install_lock))
    for title, what, installer in parts:
        stamps = read_stamps()
        stamp = stamp_of(what)
        if stamps.get(what) == stamp:
            continue
        say("installing %s (only when they change)" % title)
        need_room()
        installer(what)
        stamps[what] = stamp
        STAMPS.write_text(json.dumps(stamps, indent=1))


def make_venv() -> None:
    version = "%d.%d." % sys.version_info[:2]
    config = VENV / "pyvenv.cfg"
    lines = config.read_text().splitlines() if config.is_file() else []
    versions = [line.split("=")[1].strip() for line in lines if line.startswith("version")]
    if PYTHON.exists() and versions and versions[0].startswith(version):
        return
    if importlib.util.find_spec("ensurepip") is None:
        raise Stop(
            "This Python comes without ensurepip; on Debian or Ubuntu `apt install python3-venv` adds it, "
            "then run the same command again."
        )
    say("making .venv for Python %s" % version[:-1])
    need_room()
    result = subprocess.run([sys.executable, "-m", "venv", "--clear", str(VENV)], stdout=subprocess.PIPE)
    if result.returncode:
        explain_failure("Making .venv failed; the message above says why.")


def install_lock(file: str) -> None:
    pip("--require-hashes", "--only-binary", ":all:", "-r", str(HERE / file))


def install_torch(requirement: str) -> None:
    """A step of its own, outside the lock: the CPU and the CUDA build are different files under one version.

    What the CPU build imports is in the lock. The CUDA build brings some twenty packages more, whatever they are.
    """
    where = torch_source(requirement)
    build = build_of(requirement, where)
    if build == "cpu":
        return pip("--no-deps", "--only-binary", ":all:", requirement, *where)
    if build == "cuda":
        print(CUDA_WARNING % TORCH_INDEX, flush=True)
        need_room(ROOM_WITH_CUDA_MB)
    return pip(requirement, *where)


def torch_source(requirement: str) -> "list[str]":
    """Where pip is to look: where it was told to look, else at PyTorch's CPU index if that answers now."""
    named = os.environ.get("TORCH_INDEX", "").strip()
    if named:
        return ["--extra-index-url", named]
    if sys.platform != "linux" or pip_has_sources():
        return []
    problem = ask_index(TORCH_INDEX, requirement)
    if not problem:
        return ["--index-url", TORCH_INDEX]
    say("%s %s, so PyTorch comes from where pip looks by default" % (TORCH_INDEX, problem))
    return []


def pip_has_sources() -> bool:
    """Whether pip's files or its variables name an index or links: then these are meant."""
    listed = subprocess.run(
        [str(PYTHON), "-m", "pip", "config", "list"], stdout=subprocess.PIPE, universal_newlines=True
    )
    names = [line.partition("=")[0].rpartition(".")[2] for line in listed.stdout.splitlines()]
    return any(name in SOURCES for name in names)


def ask_index(index: str, requirement: str) -> str:
    """One quick look at the index' own page on PyTorch; what is wrong with it, or nothing."""
    project, _, version = requirement.partition("==")
    pages, problems = [], []  # type: list[str], list[str]

    def look() -> None:
        try:
            with urllib.request.urlopen("%s/%s/" % (index, project), timeout=PROBE_SECONDS) as answer:
                pages.append(answer.read(LISTING_MB << 20).decode("utf-8", "replace"))
        except (OSError, ValueError, http.client.HTTPException) as error:
            problems.append("cannot be read (%s)" % error)

    looking = threading.Thread(target=look, daemon=True)  # a name server or a slow sender heeds no timeout
    looking.start()
    looking.join(PROBE_SECONDS)
    if not pages:
        return problems[0] if problems else "does not answer within %d seconds" % PROBE_SECONDS
    python = "cp%d%d" % sys.version_info[:2]
    wheel = r"%s-%s(\+|%%2B)cpu-%s-%s-\w+_%s\.whl" % (project, re.escape(version), python, python, platform.machine())
    return "" if re.search(wheel, pages[0], re.IGNORECASE) else "has no %s for this Python" % requirement


def build_of(requirement: str, where: "list[str]") -> str:
    """Look, without installing, at the build that pip would take: "cpu", "cuda", or "" when pip cannot tell."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder, "report.json")
        look = ["--dry-run", "--no-deps", "--ignore-installed", "--quiet", "--report", str(report), requirement]
        command = [str(PYTHON), "-m", "pip", "install", *look, *where]
        if subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode:
            return ""
        found = json.loads(report.read_text())["install"][0]["metadata"].get("requires_dist", [])
    needs_cuda = sys.platform == "linux" and any(name.startswith(("nvidia-", "cuda-", "triton")) for name in found)
    return "cuda" if needs_cuda else "cpu"


def pip(*arguments: str) -> None:
    environment = dict(os.environ, PIP_DISABLE_PIP_VERSION_CHECK="1", PIP_ROOT_USER_ACTION="ignore")
    environment.pop("PYTHONPATH", None)
    if subprocess.run([str(PYTHON), "-m", "pip", "install", *arguments], env=environment).returncode:
        explain_failure(
            "Installing failed, and pip's message above says why; once that is mended (often it is the network), "
            "run the same command again: what is installed already stays."
        )


def explain_failure(sentence: str) -> None:
    need_room(least_mb=100)
    raise Stop(sentence)


def need_room(least_mb: int = ROOM_MB) -> None:
    for folder in (HERE, Path(tempfile.gettempdir())):
        free = shutil.disk_usage(str(folder)).free // 2**20
        needed = least_mb if folder == HERE else min(least_mb, 100)
        if free < needed:
            raise Stop("The disk is too full: %s has %d MB free, and installing needs %d MB." % (folder, free, needed))


def stamp_of(what: str) -> str:
    file = HERE / what
    content = file.read_bytes() if file.is_file() else what.encode()
    return hashlib.sha256(content + sys.version.encode()).hexdigest()


def read_stamps() -> "dict[str, str]":
    try:
        return dict(json.loads(STAMPS.read_text()))
    except (OSError, ValueError):
        return {}


# The commands


def hand_over(module: str, *arguments: str) -> None:
    os.chdir(str(HERE))
    os.execv(str(PYTHON), [str(PYTHON), "-m", module, *arguments])


def run(*arguments: str) -> None:
    if sys.platform != "linux":
        raise Stop("Gradus grades in a Linux sandbox; on this system, run it in a container: docker compose up.")
    with listen() as listener:
        install()
        listener.set_inheritable(True)
        hand_over("scripts.serve", str(listener.fileno()))


def test(*arguments: str) -> None:
    install(dev=True)
    hand_over("scripts.suite", *arguments)


def check(*arguments: str) -> None:
    install(dev=True)
    hand_over("scripts.check", *arguments)


def bench(*arguments: str) -> None:
    install(dev=True)
    hand_over("scripts.bench", *arguments)


COMMANDS = {"run": run, "install": lambda *_: install(), "test": test, "check": check, "bench": bench}


def main() -> None:
    name = sys.argv[1] if len(sys.argv) > 1 else "run"
    if name not in COMMANDS:
        sys.exit("gradus: %r is not a command; say one of %s." % (name, ", ".join(COMMANDS)))
    try:
        COMMANDS[name](*sys.argv[2:])
    except Stop as stop:
        sys.exit("gradus: %s" % stop)
    except OSError as error:
        if error.errno != errno.ENOSPC:
            raise
        sys.exit("gradus: The disk is full; make room and run the same command again.")
    except KeyboardInterrupt:
        print()
        sys.exit("gradus: Stopped; the same command goes on from here.")


if __name__ == "__main__":
    main()
