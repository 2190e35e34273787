"""Slots number the sandboxes of one machine, so that each has user ids and a cgroup of its own.

A slot is held by an abstract socket: the kernel frees it when its holder dies, however it dies, and no file is left.
"""

from __future__ import annotations

import socket
from collections.abc import Iterator

from grader.sandbox import cgroups

_FIRST_UID = 61_000
_COUNT = 256


class Slot:
    """A number nobody else on this machine holds."""

    def __init__(self, number: int, holder: socket.socket) -> None:
        self.number = number
        self._holder = holder

    @property
    def learner_uid(self) -> int:
        return _FIRST_UID + 2 * self.number

    @property
    def checker_uid(self) -> int:
        return _FIRST_UID + 2 * self.number + 1

    def release(self) -> None:
        self._holder.close()


def acquire() -> Slot:
    """The lowest free slot; raise OSError when all are taken."""
    for slot in _free_slots():
        return slot
    raise OSError(f"all {_COUNT} sandbox slots of this machine are taken")


def remove_leftover_cgroups() -> None:
    """Remove the cgroups of slots whose holder is gone."""
    for number in cgroups.leftover_slots():
        slot = _try(number)
        if slot is not None:
            cgroups.remove_leftover(number)
            slot.release()


def _free_slots() -> Iterator[Slot]:
    for number in range(_COUNT):
        slot = _try(number)
        if slot is not None:
            yield slot


def _try(number: int) -> Slot | None:
    holder = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        holder.bind(f"\0gradus-slot-{number}")
    except OSError:
        holder.close()
        return None
    return Slot(number, holder)
