"""The kernel's cap on a job's memory and processes, where control groups are writable: v1 or v2, found by doing."""

from __future__ import annotations

import contextlib
import os
import signal
import time
from dataclasses import dataclass
from pathlib import Path

_ROOT = Path("/sys/fs/cgroup")
_FAMILY = "gradus"
_MAX_PROCESSES = 16
# Memory is not to be had by swapping, and the kernel ends a group as a whole: v2's two files, and v1's one.
_WHERE_PRESENT = {"memory.swap.max": "0", "memory.oom.group": "1", "memory.swappiness": "0"}


class NoCgroups(Exception):
    """Control groups cannot be used here; the message says why."""


@dataclass(frozen=True, slots=True)
class _Controller:
    """One directory of the group and the names its version uses."""

    folder: Path
    memory_limit: str | None
    pids_limit: str | None
    events: str | None


class Group:
    """The group of one slot: whoever writes "0" to `join` files enters it; `oom_kills` counts the kernel's kills."""

    def __init__(self, slot: int) -> None:
        self._controllers = _create(f"slot-{slot}")
        try:
            for controller in self._controllers:
                if controller.pids_limit:
                    (controller.folder / controller.pids_limit).write_text(str(_MAX_PROCESSES))
                for name, value in _WHERE_PRESENT.items():
                    if (controller.folder / name).exists():
                        (controller.folder / name).write_text(value)
            self._kill_strays()
        except OSError as error:
            self.remove()
            raise NoCgroups(f"the cgroup's limits cannot be set ({error.strerror})") from None

    @property
    def join_paths(self) -> list[str]:
        return [str(controller.folder / "cgroup.procs") for controller in self._controllers]

    @property
    def events_path(self) -> str:
        return next(str(c.folder / c.events) for c in self._controllers if c.events)

    def limit_memory(self, megabytes: int) -> None:
        for controller in self._controllers:
            if controller.memory_limit:
                (controller.folder / controller.memory_limit).write_text(str(megabytes << 20))

    def kill(self) -> None:
        """End every process in the group that we may end; a machine that does not let us is found unfit by its jobs."""
        for controller in self._controllers:
            for pid in (controller.folder / "cgroup.procs").read_text().split():
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.kill(int(pid), signal.SIGKILL)

    def remove(self) -> None:
        """Remove the group's directories, and the family's when this was the last group."""
        for controller in self._controllers:
            _remove(controller.folder)

    def _kill_strays(self) -> None:
        """A killed worker may have left processes that are still dying in the directory of the same name."""
        for _ in range(100):
            if not any((c.folder / "cgroup.procs").read_text().strip() for c in self._controllers):
                return
            self.kill()
            time.sleep(0.02)
        raise NoCgroups("a cgroup left by an earlier worker does not empty")


def leftover_slots() -> set[int]:
    """Slots that have a group, of workers that run or of ones that were killed."""
    bases = (_ROOT, _ROOT / "memory", _ROOT / "pids")
    folders = [folder for base in bases for folder in base.glob(f"{_FAMILY}/slot-*")]
    return {int(folder.name.removeprefix("slot-")) for folder in folders}


def remove_leftover(slot: int) -> None:
    """Remove the group of a slot that nobody holds."""
    for base in (_ROOT, _ROOT / "memory", _ROOT / "pids"):
        with contextlib.suppress(OSError):
            (base / _FAMILY / f"slot-{slot}").rmdir()
        with contextlib.suppress(OSError):
            (base / _FAMILY).rmdir()


def count_oom_kills(events: str) -> int:
    """Read `oom_kill` from memory.events (v2) or memory.oom_control (v1)."""
    for line in events.splitlines():
        name, _, value = line.partition(" ")
        if name == "oom_kill":
            return int(value)
    return 0


def _create(name: str) -> list[_Controller]:
    if (_ROOT / "cgroup.controllers").exists():
        return [_create_v2(name)]
    if (_ROOT / "memory").is_dir() and (_ROOT / "pids").is_dir():
        return [
            _Controller(_make(_ROOT / "memory", name), "memory.limit_in_bytes", None, "memory.oom_control"),
            _Controller(_make(_ROOT / "pids", name), None, "pids.max", None),
        ]
    raise NoCgroups("neither cgroup v2 nor the v1 memory and pids hierarchies are mounted")


def _create_v2(name: str) -> _Controller:
    folder = _make(_ROOT, name)
    family = folder.parent
    try:
        for parent in (_ROOT, family):
            wanted = {"memory", "pids"} - set((parent / "cgroup.subtree_control").read_text().split())
            if wanted:
                (parent / "cgroup.subtree_control").write_text(" ".join(f"+{one}" for one in sorted(wanted)))
    except OSError as error:
        _remove(folder)
        raise NoCgroups(f"memory and pids cannot be delegated ({error.strerror})") from None
    return _Controller(folder, "memory.max", "pids.max", "memory.events")


def _make(hierarchy: Path, name: str) -> Path:
    folder = hierarchy / _FAMILY / name
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise NoCgroups(f"{hierarchy} is not writable ({error.strerror})") from None
    return folder


def _remove(folder: Path) -> None:
    for _ in range(50):
        try:
            folder.rmdir()
            break
        except FileNotFoundError:
            break
        except OSError:
            time.sleep(0.02)
    with contextlib.suppress(OSError):
        folder.parent.rmdir()
