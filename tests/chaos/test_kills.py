"""Everything is killed again and again while two hundred submissions are graded, and nobody notices but the log."""

from __future__ import annotations

import itertools
import os
import random
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path

import pytest

from config import processes
from courses.models import Result
from grader import queue
from grader.models import MAX_TRIES, State, Submission
from grader.sandbox import cgroups
from tests.chaos.tree import ROLES, Process, descendants, in_role
from tests.grader.small import SOURCE, QueueUp
from tests.services import BASE, Broker, database_url, wait_until

SUBMISSIONS = 200
PEOPLE = 40
ROUNDS = 2
WORKERS = 2
MOST_TRIES_LOST = ROUNDS * (WORKERS + len(ROLES) - 1)
"""A killed worker loses what all its children judge, a killed broker nothing, anything else one submission."""
LEASE = timedelta(seconds=20)
SANDBOX_UIDS = range(61_000, 61_512)
PUBLIC_FOLDERS = (Path("/tmp"), Path("/var/tmp"), Path("/dev/shm"))


@dataclass(slots=True)
class Platform:
    """A broker, a worker and a sweeper, as a supervisor would keep them."""

    broker: Broker
    folder: Path
    worker: subprocess.Popen[bytes] | None = None
    sweeper: subprocess.Popen[bytes] | None = None
    seen: set[Process] = field(default_factory=set)
    logs: Iterator[int] = field(default_factory=itertools.count)

    def start(self) -> None:
        self.start_worker()
        self.sweeper = self._start([str(BASE / "manage.py"), "sweep", "--loop", "--every", "1"])

    def start_worker(self) -> None:
        arguments = ["--without-gossip", "--without-mingle", f"--concurrency={WORKERS}", "--loglevel=INFO"]
        self.worker = self._start(["-m", "celery", "--app", "config", "worker", *arguments])

    def stop(self) -> None:
        for process in (self.sweeper, self.worker):
            if process is not None:
                # A pool child that was given work while the pool stops waits 30 s for its result to be read (billiard).
                processes.stop(process, patience=45)

    def looked(self) -> bool:
        """Remember every process that the worker has started by now."""
        assert self.worker is not None
        for children in descendants(self.worker.pid).values():
            self.seen.update(children)
        return True

    def kill(self, role: str) -> None:
        """SIGKILL one process in that role, as soon as there is one, and start again what a supervisor would."""
        if role == "broker":
            self.broker.kill()
            time.sleep(1)
            self.broker.start()
            return
        wait_until(lambda: self._kill_one(role), seconds=60, what=f"a {role} was there to kill")
        if role == "worker":
            assert self.worker is not None
            self.worker.wait()
            self.start_worker()

    def _kill_one(self, role: str) -> bool:
        self.looked()
        assert self.worker is not None
        candidates = list(in_role(role, self.worker.pid))
        return bool(candidates) and random.choice(candidates).kill()

    def _start(self, arguments: list[str]) -> subprocess.Popen[bytes]:
        environment = {
            "PATH": os.environ["PATH"],
            "DATABASE_URL": database_url(),
            "REDIS_URL": self.broker.url,
            "GRADUS_VAR": str(self.folder),
            "TMPDIR": str(self.folder / "tmp"),
        }
        with (self.folder / f"log-{next(self.logs)}").open("wb") as log:
            return processes.start([sys.executable, *arguments], environment=environment, output=log)


@pytest.fixture
def platform(transactional_db: None, embedded_broker: Broker, tmp_path: Path) -> Iterator[Platform]:
    (tmp_path / "tmp").mkdir()
    platform = Platform(embedded_broker, tmp_path)
    yield platform
    platform.stop()


def unfinished() -> int:
    return Submission.objects.exclude(state__in=(State.DONE, State.HELD)).count()


def hand_in_all(queue_up: QueueUp) -> None:
    """Each source differs: the platform must not take one unlucky source for a harmful one."""
    for number in range(SUBMISSIONS):
        queue_up(by=f"person-{number % PEOPLE}", source=f"# {number}\n{SOURCE}", worst_time=LEASE)


def grading_goes_on(platform: Platform) -> Callable[[], bool]:
    before = unfinished()
    return lambda: platform.looked() and unfinished() < before


def tries_lost() -> int:
    used = Submission.objects.filter(state__in=(State.DONE, State.HELD)).values_list("state", "tries")
    return sum(tries - (state == State.DONE) for state, tries in used)


def operator_retries_what_is_held() -> None:
    """Kills are drawn at random: one that meets the same row at each of its tries leaves it to an operator."""
    for row in Submission.objects.filter(state=State.HELD):
        assert row.tries == MAX_TRIES, row.fault
        assert queue.release(submission=row)


def left_behind() -> set[Path]:
    return {
        path
        for folder in PUBLIC_FOLDERS
        if folder.is_dir()
        for path in folder.iterdir()
        if path.lstat().st_uid in SANDBOX_UIDS
    }


def ownerless_cgroups() -> set[int]:
    held = Path("/proc/net/unix").read_text()
    return {slot for slot in cgroups.leftover_slots() if f"@gradus-slot-{slot}\n" not in held}


@pytest.mark.django_db(transaction=True)
def test_every_submission_gets_its_one_verdict_whatever_is_killed(queue_up: QueueUp, platform: Platform) -> None:
    files, groups = left_behind(), ownerless_cgroups()  # of others who were killed before
    hand_in_all(queue_up)
    platform.start()
    wait_until(lambda: unfinished() < SUBMISSIONS, seconds=60, what="grading has begun")
    for role in (*ROLES, "broker") * ROUNDS:
        assert unfinished(), f"everything was graded before the {role} could be killed in the middle of it"
        platform.kill(role)
        wait_until(grading_goes_on(platform), seconds=90, what=f"grading goes on after the {role} was killed")
    wait_until(lambda: platform.looked() and not unfinished(), seconds=300, what="everything is graded")
    assert platform.sweeper is not None
    assert platform.sweeper.poll() is None, "nobody killed the sweeper"
    assert tries_lost() <= MOST_TRIES_LOST
    operator_retries_what_is_held()
    wait_until(lambda: platform.looked() and not unfinished(), seconds=60, what="what was held is graded")

    assert Counter(Submission.objects.values_list("state", "verdict")) == {(State.DONE, "accepted"): SUBMISSIONS}
    assert Result.objects.count() == SUBMISSIONS
    platform.stop()
    wait_until(lambda: not any(one.is_alive() for one in platform.seen), seconds=10, what="no process is left")
    assert left_behind() <= files
    assert list((platform.folder / "tmp").iterdir()) == []
    assert ownerless_cgroups() <= groups
