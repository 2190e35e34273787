"""Frames between processes that do not trust each other: strictly bounded, non-blocking, one deadline over all of it.

A frame is magic, kind, call id, length, payload. The length is checked against the receiver's cap before a byte of the
payload is read.
"""

from __future__ import annotations

import os
import select
import struct
import time
from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum

_HEADER = struct.Struct("<4sB8sQ")
_MAGIC = b"GRD1"
_CHUNK = 1 << 18
NO_CALL = bytes(8)


class Kind(IntEnum):
    READY = 1  # learner or checker: confined, and the self-test passed
    REQUEST = 2  # checker → learner
    REPLY = 3  # learner → checker
    JOB = 4  # worker → checker
    PROGRESS = 5  # checker → worker
    REPORT = 6  # checker → worker
    OUTPUT = 7  # init → worker
    FAILED = 8  # any → its peer: could not confine itself; the payload says why
    MISTAKES = 10  # checker → worker, after the report
    ORDER = 9  # worker → init → learner: what this job may use


class Closed(Exception):
    """The peer is gone."""


class BadFrame(Exception):
    """The bytes are not a frame of this protocol."""


class FrameTooLarge(BadFrame):
    """The frame announces more than the receiver's cap."""


class Expired(Exception):
    """The deadline passed."""


@dataclass(frozen=True, slots=True)
class Frame:
    kind: Kind
    call: bytes
    payload: bytes


Wait = Callable[[int, int], None]
"""Blocks until the descriptor has the poll event, or raises what ends the waiting."""


def until(deadline: float) -> Wait:
    """Wait no longer than `deadline` (monotonic seconds); then raise `Expired`."""

    def wait(fd: int, event: int) -> None:
        poll = select.poll()
        poll.register(fd, event)
        left = deadline - time.monotonic()
        if left <= 0 or not poll.poll(left * 1000):
            raise Expired

    return wait


def forever(fd: int, event: int) -> None:
    """Wait without a deadline: for the confined side, which is killed from outside."""
    poll = select.poll()
    poll.register(fd, event)
    poll.poll()


class Channel:
    """One end of a stream socket. Makes the descriptor non-blocking and owns it."""

    def __init__(self, fd: int) -> None:
        os.set_blocking(fd, False)
        self.fd = fd

    def close(self) -> None:
        if self.fd >= 0:
            os.close(self.fd)
            self.fd = -1

    def send(self, kind: Kind, payload: bytes, wait: Wait, call: bytes = NO_CALL) -> None:
        """Write one frame; raise `Closed`, or what `wait` raises."""
        header = _HEADER.pack(_MAGIC, kind, call, len(payload))
        # In one write where that is cheap: each wakes the peer, and one that wakes for a header alone wakes twice.
        for part in (header + payload,) if len(payload) <= _CHUNK else (header, payload):
            view = memoryview(part)
            while view:
                try:
                    view = view[os.write(self.fd, view[:_CHUNK]) :]
                except BlockingIOError:
                    wait(self.fd, select.POLLOUT)
                except (BrokenPipeError, ConnectionResetError):
                    raise Closed from None

    def receive(self, cap: int, wait: Wait) -> Frame:
        """Read one frame of at most `cap` bytes; raise `Closed`, `BadFrame`, or what `wait` raises."""
        magic, kind, call, length = _HEADER.unpack(self._exactly(_HEADER.size, wait))
        if magic != _MAGIC or kind not in Kind.__members__.values():
            raise BadFrame("not a frame")
        if length > cap:
            raise FrameTooLarge(f"a frame of {length} bytes where at most {cap} are allowed")
        return Frame(Kind(kind), call, bytes(self._exactly(length, wait)))

    def _exactly(self, size: int, wait: Wait) -> bytearray:
        """Read `size` bytes, allocating only as they arrive: a header alone makes nobody allocate its claim."""
        data = bytearray()
        while len(data) < size:
            try:
                part = os.read(self.fd, min(size - len(data), _CHUNK))
            except BlockingIOError:
                wait(self.fd, select.POLLIN)
                continue
            except ConnectionResetError:
                raise Closed from None
            if not part:
                raise Closed
            data += part
        return data
