"""The worker's side of the sandbox: starts a zygote, hands it jobs, and never lets one outlive its time.

`grader.judge` is its only user in the product.
"""

from __future__ import annotations

import contextlib
import json
import os
import platform
import select
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Self

from grader.sandbox import cgroups, slots
from grader.sandbox.confine import Layers
from grader.sandbox.cpu import fixed_environment
from grader.sandbox.levels import LayerStatus, at_least, level_of, missing, statuses
from grader.sandbox.orders import TEMPORARY_MB, Order, Setup
from grader.sandbox.roles import FLAGS
from grader.sandbox.wire import BadFrame, Channel, Closed, Expired, FrameTooLarge, Kind, until

REPOSITORY = Path(__file__).resolve().parents[2]
JOBS_PER_ZYGOTE = 500
_START_SECONDS = 120.0
_SETTLE_SECONDS = 10.0
_GRACE_SECONDS = 5.0
_REPORT_CAP = 64 << 20  # of a proof, on hundreds of programs
_AFTERWORD_CAP = 64 << 10
_CGROUP_SLACK_MB = 256
# Every fork of the zygote can read the zygote's arguments; so what is nobody's business comes through the socket.
_MAIN = (
    "import os, sys; sys.path.insert(0, os.read(int(sys.argv[1]), 4096).decode()); "
    "from grader.sandbox.zygote import main; main(int(sys.argv[1]))"
)


class SandboxUnavailable(Exception):
    """This machine cannot confine learner code well enough, so nothing is graded. The message says what is missing."""


class PlatformFault(Exception):
    """The platform failed, not the learner: no verdict, try again."""


class Cancelled(Exception):
    """The sandbox was told to stop: of the job nothing is known, and nothing failed."""


@dataclass(frozen=True, slots=True)
class JobResult:
    """What the checker reported (raw JSON) and what learners printed, by number of test and stream.

    `afterword` is what it had still to say, if anybody waited for that.
    """

    report: bytes
    output: dict[tuple[str, str], bytes]
    start_seconds: float
    afterword: bytes = b""


OnReport = Callable[[JobResult], bool]
"""Called with what was reported; whether to wait for the checker's afterword."""


class Sandbox:
    """Owns one slot and one zygote. Enter it on the process' main thread: the zygote dies with that thread."""

    def __init__(
        self,
        *,
        minimum_level: str = "D",
        without: Iterable[str] = (),
        jobs_per_zygote: int = JOBS_PER_ZYGOTE,
        light: bool = False,
        cold: bool = False,
    ) -> None:
        """`light` skips the imports (to examine a machine); `cold` executes fresh interpreters (to measure warmth)."""
        self._minimum_level = minimum_level
        self._without = tuple(without)
        self._jobs_per_zygote = jobs_per_zygote
        self._light = light
        self._cold = cold
        self._slot: slots.Slot | None = None
        self._group: cgroups.Group | None = None
        self._zygote: subprocess.Popen[bytes] | None = None
        self._control: socket.socket | None = None
        self._running: list[int] = []
        self._jobs = 0
        self._ready = False
        self._cancelled = False
        self._group_refusal = ""
        self.layers: Layers | None = None
        self.refusals: dict[str, str] = {}
        self.versions: dict[str, str] = {}

    def __enter__(self) -> Self:
        self._slot = slots.acquire()
        try:
            slots.remove_leftover_cgroups()
            self._open_group()
            self.start()
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    # What it is

    @property
    def level(self) -> str:
        """A, B, C or D; waits for the zygote."""
        self.wait_until_ready()
        assert self.layers is not None
        return level_of(self.layers)

    @property
    def statuses(self) -> list[LayerStatus]:
        """Of every layer, also where they are not enough; waits for the zygote."""
        if self.layers is None:
            self.wait_until_ready()
        assert self.layers is not None
        refusals = {**self.refusals, "cgroups": self._group_refusal} if self._group_refusal else self.refusals
        return statuses(self.layers, refusals)

    @property
    def zygote_pid(self) -> int | None:
        return self._zygote.pid if self._zygote else None

    # Life

    def start(self) -> None:
        """Start a zygote without waiting for it."""
        if platform.system() != "Linux" or platform.machine() != "x86_64":
            raise SandboxUnavailable(
                f"Grading needs Linux on x86_64, and this is {platform.system()} on {platform.machine()}. "
                "Run Gradus in a Linux container (see docker-compose.yml)."
            )
        assert self._slot is not None, "enter the sandbox first"
        environment = fixed_environment()
        setup = Setup(
            learner_uid=self._slot.learner_uid,
            checker_uid=self._slot.checker_uid,
            canary=str(REPOSITORY / "manage.py"),
            environment=sorted(environment),
            code=str(REPOSITORY) if self._cold else "",
            join_paths=self._group.join_paths if self._group else [],
            events_path=self._group.events_path if self._group else "",
            without=self._without,
            light=self._light,
        )
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        ours.send(str(REPOSITORY).encode())
        ours.send(setup.encode())
        self._zygote = subprocess.Popen(
            [sys.executable, *FLAGS, "-c", _MAIN, str(theirs.fileno())],
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            pass_fds=[theirs.fileno()],
            cwd="/",
            start_new_session=True,
        )
        theirs.close()
        self._control, self._jobs, self._ready = ours, 0, False

    def wait_until_ready(self) -> None:
        """Wait for the zygote's hello; raise `SandboxUnavailable` if it may not grade, `PlatformFault` if it died."""
        if self._ready:
            return
        if self._zygote is None:
            self.start()
        hello = self._hello()
        self.layers = Layers(**hello["layers"])
        self.refusals, self.versions = hello["refusals"], hello["versions"]
        lacking = missing(self.layers, real_root=os.geteuid() == 0)
        level = level_of(self.layers)
        if not at_least(level, self._minimum_level):
            lacking.append(f"this machine reaches level {level}, and the settings demand {self._minimum_level}")
        if lacking:
            self._stop_zygote()
            raise SandboxUnavailable("Nothing is graded here: " + "; ".join(lacking) + ". Run `manage.py doctor`.")
        self._ready = True

    def close(self) -> None:
        """End everything this sandbox started and give its slot back."""
        self._stop_zygote()
        if self._group is not None:
            self._group.remove()
            self._group = None
        if self._slot is not None:
            self._slot.release()
            self._slot = None

    # Work

    def run(
        self,
        job: bytes,
        order: Order,
        on_progress: Callable[[bytes], None] | None = None,
        report_cap: int = _REPORT_CAP,
        on_report: OnReport = lambda result: False,
    ) -> JobResult:
        """Run one job; raise `PlatformFault` when it ends without a report, `Cancelled` once we are told to stop,
        `SandboxUnavailable` if this machine proves unable to confine.

        A report, or a word on progress, of more than `report_cap` bytes is such a fault. Once there is a report nothing
        is raised any more, but for what `on_report` raises: an afterword that does not come is empty.
        """
        try:
            return self._try(job, order, on_progress, report_cap, on_report)
        except PlatformFault as fault:
            if self._cancelled:
                raise Cancelled from fault
            raise

    def cancel(self) -> None:
        """End the job that runs now and begin no other. Safe to call in a signal handler."""
        self._cancelled = True
        if self._zygote is not None:
            self._zygote.kill()

    def settle(self) -> None:
        """Wait until every process of earlier jobs is gone."""
        deadline = time.monotonic() + _SETTLE_SECONDS
        while self._running:
            pidfd = self._running.pop()
            poll = select.poll()
            poll.register(pidfd, select.POLLIN)
            gone = poll.poll(max(0.0, deadline - time.monotonic()) * 1000)
            if not gone:
                with contextlib.suppress(ProcessLookupError):
                    signal.pidfd_send_signal(pidfd, signal.SIGKILL)
            os.close(pidfd)

    def _try(
        self,
        job: bytes,
        order: Order,
        on_progress: Callable[[bytes], None] | None,
        report_cap: int,
        on_report: OnReport,
    ) -> JobResult:
        started = time.monotonic()
        self._ready_for_next()
        if self._cancelled:
            raise Cancelled
        if self._group is not None:
            self._group.limit_memory(order.memory_mb + TEMPORARY_MB + _CGROUP_SLACK_MB)
        deadline = started + order.wall_seconds + _GRACE_SECONDS
        try:
            return self._run(job, order, on_progress, report_cap, on_report, started, deadline)
        except FrameTooLarge as error:
            self._stop_zygote()
            raise PlatformFault(f"The checker's report is too large ({error}).") from error
        except (Closed, BadFrame, Expired, OSError) as error:
            self._stop_zygote()
            reason = f"{type(error).__name__} {error}".strip()
            raise PlatformFault(f"The sandbox ended a job without a report ({reason}).") from error

    def _run(
        self,
        job: bytes,
        order: Order,
        on_progress: Callable[[bytes], None] | None,
        report_cap: int,
        on_report: OnReport,
        started: float,
        deadline: float,
    ) -> JobResult:
        init_channel, channel = self._next_job()
        prints = _Prints(init_channel, deadline)
        try:
            init_channel.send(Kind.ORDER, order.encode(), until(deadline))
            hello = channel.receive(4096, until(deadline))
            if hello.kind is not Kind.READY:
                raise SandboxUnavailable(
                    f"Nothing is graded here: the checker is not confined: {hello.payload.decode(errors='replace')}. "
                    "Run `manage.py doctor`."
                )
            start_seconds = time.monotonic() - started
            channel.send(Kind.JOB, job, until(deadline))
            while True:
                frame = channel.receive(report_cap, prints.wait)
                if frame.kind is Kind.REPORT:
                    result = JobResult(frame.payload, prints.all(), start_seconds)
                    return self._with_afterword(result, channel, prints) if on_report(result) else result
                if frame.kind is Kind.PROGRESS and on_progress is not None:
                    on_progress(frame.payload)
        finally:
            channel.close()
            init_channel.close()  # init sees this, kills what is left, and ends

    def _with_afterword(self, result: JobResult, channel: Channel, prints: _Prints) -> JobResult:
        try:
            frame = channel.receive(_AFTERWORD_CAP, prints.wait)
        except (Closed, BadFrame, Expired, OSError):
            return result
        return replace(result, afterword=frame.payload) if frame.kind is Kind.MISTAKES else result

    def _next_job(self) -> tuple[Channel, Channel]:
        """The channels to the init and the checker of a job that waits for its order."""
        assert self._control is not None
        self._control.settimeout(_GRACE_SECONDS)
        self._control.send(b"next")
        message, fds, _, _ = socket.recv_fds(self._control, 4096, 3)
        if message != b"started" or len(fds) != 3:
            raise Closed(message.decode(errors="replace"))
        pidfd, control, case = fds
        self._running.append(pidfd)
        return Channel(control), Channel(case)

    def _ready_for_next(self) -> None:
        if self._zygote is not None and (self._zygote.poll() is not None or self._jobs >= self._jobs_per_zygote):
            self._stop_zygote()
        self.wait_until_ready()
        self.settle()
        self._jobs += 1

    def _hello(self) -> dict[str, Any]:
        assert self._control is not None
        self._control.settimeout(_START_SECONDS)
        try:
            data = self._control.recv(65536)
        except OSError as error:
            data = b""
            reason = f"{error}"
        else:
            reason = "it ended at once"
        hello: dict[str, Any] = json.loads(data) if data else {"failed": reason}
        if "failed" in hello:
            self._stop_zygote()
            raise PlatformFault(f"The sandbox's warm process could not start ({hello['failed']}).")
        return hello

    def _stop_zygote(self) -> None:
        self._ready = False
        if self._control is not None:
            self._control.close()  # a healthy zygote ends on this by itself, and its inits with it
            self._control = None
        if self._zygote is not None:
            self._zygote.kill()
            self._zygote.wait()
            self._zygote = None
        self.settle()
        if self._group is not None:
            self._group.kill()

    def _open_group(self) -> None:
        assert self._slot is not None
        if "cgroups" in self._without:
            self._group_refusal = "left out by choice"
            return
        try:
            self._group = cgroups.Group(self._slot.number)
        except cgroups.NoCgroups as error:
            self._group_refusal = str(error)


class _Prints:
    """What learners printed, by test and stream; taken as soon as init sends it, for init must not wait for us."""

    def __init__(self, init: Channel, deadline: float) -> None:
        self._init, self._deadline = init, deadline
        self._texts: dict[tuple[str, str], bytes] = {}

    def wait(self, fd: int, event: int) -> None:
        """Wait for the checker's descriptor, taking meanwhile what was printed; raise `Expired`, or `Closed`."""
        while fd not in (ready := self._ready({fd: event, self._init.fd: select.POLLIN})):
            if not ready:
                raise Expired
            self._take()

    def all(self) -> dict[tuple[str, str], bytes]:
        """Init sends before it answers the checker's mark, so at the report everything is here."""
        with contextlib.suppress(Closed):
            while self._ready({self._init.fd: select.POLLIN}, patient=False):
                self._take()
        return self._texts

    def _ready(self, events: dict[int, int], patient: bool = True) -> list[int]:
        poll = select.poll()
        for fd, event in events.items():
            poll.register(fd, event)
        left = max(0.0, self._deadline - time.monotonic()) if patient else 0.0
        return [fd for fd, _ in poll.poll(left * 1000)]

    def _take(self) -> None:
        frame = self._init.receive(_REPORT_CAP, until(self._deadline))
        head, _, data = frame.payload.partition(b"\n")
        facts = json.loads(head)
        key = (facts["test"], facts["stream"])
        self._texts[key] = self._texts.get(key, b"") + data
