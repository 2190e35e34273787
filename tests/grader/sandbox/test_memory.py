"""The watch over a learner's private memory, on a process that grows."""

from __future__ import annotations

import mmap
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from grader.sandbox.confine import Layers
from grader.sandbox.levels import memory_bound, missing
from grader.sandbox.memory import LOOK_SECONDS, SLACK_MB, Watch, can_watch

MB = 1 << 20


@pytest.fixture
def proc() -> Iterator[int]:
    fd = os.open("/proc", os.O_RDONLY | os.O_DIRECTORY)
    yield fd
    os.close(fd)


@contextmanager
def child_that_adds(megabytes: int) -> Iterator[tuple[int, int, int]]:
    """A fork that writes so much private memory once it is told to: its pid, where to tell it, where it answers."""
    go, tell = os.pipe()
    answer, done = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            os.read(go, 1)
            memory = mmap.mmap(-1, megabytes * MB, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
            for place in range(0, megabytes * MB, 4096):
                memory[place] = 1
            os.write(done, b"x")
            os.read(go, 1)
        finally:
            os._exit(0)
    try:
        yield pid, tell, answer
    finally:
        os.write(tell, b"x")
        os.waitpid(pid, 0)
        for fd in (go, tell, answer, done):
            os.close(fd)


@pytest.mark.parametrize(("adds", "exceeds"), [(60, False), (64 + SLACK_MB + 8, True)])
def test_sees_what_a_process_adds_to_what_its_fork_began_with(proc: int, adds: int, exceeds: bool) -> None:
    with child_that_adds(adds) as (pid, tell, answer):
        watch = Watch(pid, proc, 64 * MB)
        began = watch.private_bytes()
        assert began > 0
        assert not watch.exceeded()
        os.write(tell, b"x")
        os.read(answer, 1)
        assert adds - 2 <= (watch.private_bytes() - began) / MB <= adds + 4
        assert watch.exceeded() is exceeds
        watch.close()


def test_looks_sooner_the_nearer_the_limit_is(proc: int) -> None:
    with child_that_adds(60) as (pid, tell, answer):
        watch = Watch(pid, proc, 64 * MB)
        watch.exceeded()
        far = watch.patience
        os.write(tell, b"x")
        os.read(answer, 1)
        watch.exceeded()
        assert watch.patience < far <= LOOK_SECONDS
        watch.close()


def test_a_process_that_has_ended_holds_nothing(proc: int) -> None:
    with child_that_adds(1) as (pid, tell, answer):
        watch = Watch(pid, proc, 0)
        os.write(tell, b"x")
        os.read(answer, 1)
        os.write(tell, b"x")
        for _ in range(500):
            if watch.private_bytes() == 0:
                break
            time.sleep(0.01)
        assert watch.private_bytes() == 0
        assert not watch.exceeded()
        watch.close()


def test_without_proc_there_is_no_watch(proc: int) -> None:
    assert can_watch(proc)
    assert not can_watch(-1)


def layers(**without: bool) -> Layers:
    return Layers(**{**dict.fromkeys(Layers.__dataclass_fields__, True), **without})


def test_something_must_bound_memory_and_the_doctor_names_it() -> None:
    assert missing(layers(cgroups=False), real_root=True) == []
    assert missing(layers(memory_watch=False), real_root=True) == []
    (sentence,) = missing(layers(cgroups=False, memory_watch=False), real_root=True)
    assert "memory bound" in sentence
    assert "control group" in memory_bound(layers())
    assert "control group" not in memory_bound(layers(cgroups=False))
    assert "every 10 ms" in memory_bound(layers(cgroups=False))
    assert "every 10 ms" not in memory_bound(layers(memory_watch=False))
