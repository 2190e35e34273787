"""Four sockets of this machine that listen while programs try to reach somebody."""

from __future__ import annotations

import contextlib
import secrets
import socket
from dataclasses import dataclass
from pathlib import Path
from typing import Self


@dataclass(slots=True)
class Listeners:
    """TCP and UDP on the loopback, a Unix path, an abstract Unix name. `places` says where, by mark in a program."""

    tcp: socket.socket
    others: list[socket.socket]
    places: dict[str, str]

    @classmethod
    def open(cls, folder: Path) -> Self:
        tcp, udp = socket.socket(), socket.socket(type=socket.SOCK_DGRAM)
        path, abstract = (socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) for _ in range(2))
        places = {"PATH": str(folder / "listener"), "ABSTRACT": f"gradus-{secrets.token_hex(8)}"}
        tcp.bind(("127.0.0.1", 0))
        tcp.listen()
        udp.bind(("127.0.0.1", 0))
        path.bind(places["PATH"])
        abstract.bind(f"\0{places['ABSTRACT']}")
        places |= {"TCP": str(tcp.getsockname()[1]), "UDP": str(udp.getsockname()[1])}
        for each in (tcp, udp, path, abstract):
            each.setblocking(False)
        return cls(tcp, [udp, path, abstract], places)

    def fill_in(self, source: str) -> str:
        for mark, place in self.places.items():
            source = source.replace("{{" + mark + "}}", place)
        return source

    def heard(self) -> int:
        """How many of the four somebody reached since the last question."""
        count = 0
        with contextlib.suppress(BlockingIOError):
            self.tcp.accept()[0].close()
            count += 1
        for each in self.others:
            with contextlib.suppress(BlockingIOError):
                each.recv(100)
                count += 1
        return count

    def close(self) -> None:
        for each in (self.tcp, *self.others):
            each.close()
