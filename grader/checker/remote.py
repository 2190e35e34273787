"""The learner as the checker meets it: one process at a time, charged its own CPU clock, and never believed.

Whatever the learner does, an exchange ends in a reply of bounded size or in one `Stopped` that says what happened.
"""

from __future__ import annotations

import json
import os
import re
import secrets
import select
import signal
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from exercises.testkit import values
from exercises.testkit.solution import LearnerError, MalformedReply, ReplyTooLarge
from grader import wording
from grader.checker.job import WALL_FACTOR, Job
from grader.report import Outcome
from grader.sandbox.linux import clock_of
from grader.sandbox.wire import BadFrame, Channel, Closed, Expired, FrameTooLarge, Kind, until

_READY_SECONDS = 20.0
_REPLY_HEAD = 8192
_MEMORY_WORDS = (
    "memoryerror",
    "can't allocate memory",
    "cannot allocate memory",
    "not enough memory",
    "bad_alloc",
    "array is too big",
    "storage size calculation overflowed",
)
# Each build of PyTorch says it in its own words, one of them with the address of a driver: none of it helps here.
_NO_GPU = re.compile(
    r"no nvidia driver|torch not compiled with|is not linked with support for|cannot get cuda generator"
    r"|cuda error: cuda driver|accelerator device when none|without mps backend"
    r"|no module named 'torch\.(hpu|ipu|maia|mtia|xla)'"
    r"|from the '(cuda|hip|mps|xpu|hpu|ipu|xla|mtia|maia)' backend"
)
_NEAR_LIMIT = 0.9
# More than a learner comes to hold of our libraries' files, whose pages are resident, too, but not what its code adds.
# How many they are is the page cache's affair: Linux 6.18 may map 2 MB of a file where another day it maps 64 KB.
_LIBRARIES_MB = 128


class Stopped(BaseException):
    """The learner was stopped in this test. Not an `Exception`: no test may swallow it."""

    def __init__(self, outcome: Outcome, message: str) -> None:
        super().__init__(message)
        self.outcome, self.message = outcome, message


class Fault(BaseException):
    """The platform, or the exercise's own code, failed: no verdict follows from this."""


class Unconfined(Fault):
    """The learner's process says that it could not be confined."""


@dataclass(slots=True)
class Budget:
    """CPU seconds of the learner, in this test and in the whole submission; and wall seconds waited for it.

    Waiting has a budget, too: a learner that sleeps a little in every call would else outlast the whole job.
    """

    test_limit: float
    total_limit: float
    total_told: str = wording.TIME_LIMIT_TOTAL
    """The sentence for who has used up `total_limit`."""
    test_used: float = 0.0
    total_used: float = 0.0
    test_waited: float = 0.0
    total_waited: float = 0.0

    def begin_test(self) -> None:
        self.test_used = self.test_waited = 0.0

    def charge(self, used: float, waited: float) -> None:
        self.test_used += used
        self.total_used += used
        self.test_waited += waited
        self.total_waited += waited

    def credit(self, starved: float) -> None:
        """Take back what was charged for waiting while the learner was ready to run and the machine too busy for it."""
        self.test_waited = max(self.test_used, self.test_waited - starved)
        self.total_waited = max(self.total_used, self.total_waited - starved)

    @property
    def left(self) -> float:
        return min(self.test_limit - self.test_used, self.total_limit - self.total_used)

    @property
    def wall_left(self) -> float:
        test, total = WALL_FACTOR * self.test_limit, WALL_FACTOR * self.total_limit
        return min(test - self.test_waited, total - self.total_waited)

    @property
    def spent(self) -> bool:
        return self.total_used >= self.total_limit or self.total_waited >= WALL_FACTOR * self.total_limit


class Init:
    """The checker's side of the command socket."""

    def __init__(self, fd: int) -> None:
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET, 0, fileno=fd)

    def ask(self, do: str, **facts: str) -> dict[str, Any]:
        """Its answer; raise `Fault` when init has ended: that ends the learner, too, and is not the learner's doing."""
        message, _ = self._answer(do, facts)
        answer: dict[str, Any] = json.loads(message)
        return answer

    def new_learner(self) -> tuple[int, int]:
        """End the present learner if there is one; return the next one's channel and pid."""
        message, fds = self._answer("learner", {})
        if not fds:
            raise Fault("init handed over no learner")
        return fds[0], int(json.loads(message)["pid"])

    def _answer(self, do: str, facts: dict[str, str]) -> tuple[bytes, list[int]]:
        try:
            os.write(self._socket.fileno(), json.dumps({"do": do, **facts}).encode())
            message, fds, _, _ = socket.recv_fds(self._socket, 4096, 1)
        except OSError as error:
            raise Fault(f"init cannot be asked ({error})") from error
        if not message:
            raise Fault("init has ended")
        return message, fds


class RemoteLearner:
    """A transport for `Solution`. Started on first use, and again after it was stopped."""

    def __init__(self, init: Init, job: Job, budget: Budget) -> None:
        self._init, self._job = init, job
        self.take(budget)
        self.place = ""
        """The number of the test that runs: what is printed now belongs to it."""
        self._channel: Channel | None = None
        self._pid = 0
        self._delay_credited = 0.0  # seconds that it was kept waiting for a processor

    def take(self, budget: Budget, loads: Budget | None = None) -> None:
        """Go on with another program, at the cost of `budget`; loading it, each time, at that of `loads`."""
        limit = self._job.loading_seconds
        self.budget, self.loads = budget, loads or Budget(limit, limit, wording.LOADING_TOTAL)
        self.program = ""
        """The source that the present process has loaded."""

    @contextmanager
    def loading(self) -> Iterator[None]:
        """Charge what happens inside to loading, printing included; raise `Stopped` if that is too much."""
        tests, self.budget = self.budget, self.loads
        try:
            yield
        finally:
            exceeded = self.mark()
            self.budget = tests
        if exceeded:
            self.stop()
            raise Stopped(Outcome.OUTPUT_LIMIT, wording.OUTPUT_LIMIT.format(kilobytes=self._job.output_kb))

    def mark(self) -> bool:
        """What was printed so far belongs to `place`; whether it was too much."""
        # By number: a later learner is a fork of init, and a name may say what a hidden test tests.
        # The learner may have answered before init had read all that it printed: only now does init know.
        marked = self._init.ask("mark", test=self.place)
        self.credit(float(marked.get("delay", 0.0)))
        return bool(marked.get("exceeded"))

    def start(self) -> None:
        """Wait until a learner has confined itself and proved it."""
        fd, self._pid = self._init.new_learner()
        self._channel = Channel(fd)
        try:
            frame = self._channel.receive(4096, until(time.monotonic() + _READY_SECONDS))
        except (Closed, BadFrame, Expired):
            raise Fault("the learner's process did not become ready") from None
        if frame.kind is not Kind.READY:
            raise Unconfined(f"the learner's process is not confined: {frame.payload.decode(errors='replace')}")
        self._delay_credited = self.delay()

    def stop(self, state: str = "running") -> dict[str, Any]:
        """End the learner and return how it ended; one that is "dying" has closed its channel and gets a moment to."""
        if self._channel is not None:
            self._channel.close()
            self._channel = None
        self.program = ""
        began = time.monotonic()
        facts = self._init.ask("why", state=state)
        self.budget.charge(0.0, time.monotonic() - began)  # a learner may only look as if it were dying
        return facts

    def exchange(self, request: bytes) -> bytes:
        """One request, one reply; raise `Stopped` for whatever the learner did instead."""
        if self._channel is None:
            self.start()
        channel, call = self._channel, secrets.token_bytes(8)
        assert channel is not None
        clock = _Clock(self, self._pid)
        try:
            channel.send(Kind.REQUEST, request, clock.wait, call)
            frame = channel.receive(self._job.reply_bytes + _REPLY_HEAD, clock.wait)
        except FrameTooLarge:
            clock.settle()
            self.stop()
            raise Stopped(Outcome.OUTPUT_LIMIT, _reply_limit(self._job)) from None
        except BadFrame:
            clock.settle()
            self.stop()
            raise Stopped(Outcome.RUNTIME_ERROR, wording.PROTOCOL) from None
        except MemoryError:
            clock.settle()
            self.stop()
            raise Stopped(Outcome.OUTPUT_LIMIT, wording.TOO_LARGE_TO_COMPARE) from None
        except Closed:
            clock.settle()
            raise self.explain_death() from None
        clock.settle()
        if frame.kind is not Kind.REPLY or not secrets.compare_digest(frame.call, call):
            self.stop()
            raise Stopped(Outcome.RUNTIME_ERROR, wording.PROTOCOL)
        if self.budget.left < 0:
            raise self.out_of_time()
        return frame.payload

    def out_of_time(self) -> Stopped:
        self.stop()
        if self.budget.spent:
            return Stopped(Outcome.TIME_LIMIT, self.budget.total_told.format(seconds=self.budget.total_limit))
        return Stopped(Outcome.TIME_LIMIT, wording.TIME_LIMIT_CPU.format(seconds=self._job.cpu_seconds))

    def credit(self, delay: float) -> None:
        """Give back the time that the present learner was ready to run and was not run: `delay` seconds of its life."""
        self.budget.credit(max(0.0, delay - self._delay_credited))
        self._delay_credited = max(self._delay_credited, delay)

    def asleep(self) -> Stopped:
        """The wall backstop fired before the CPU limit, and not because the machine was busy."""
        self.stop()
        limit = self.budget.total_limit if self.budget.spent else self.budget.test_limit
        return Stopped(Outcome.TIME_LIMIT, wording.TIME_LIMIT_ASLEEP.format(seconds=WALL_FACTOR * limit))

    def explain_death(self) -> Stopped:
        """The learner's process ended without a reply: from the kernel's facts, say why."""
        facts = self.stop("dying")
        number = int(facts.get("signal", 0))
        if facts.get("output"):
            return Stopped(Outcome.OUTPUT_LIMIT, wording.OUTPUT_LIMIT.format(kilobytes=self._job.output_kb))
        if facts.get("memory") or facts.get("oom") or (number and self._near_memory_limit(facts)):
            return Stopped(Outcome.MEMORY_LIMIT, wording.MEMORY_LIMIT.format(megabytes=self._job.memory_mb))
        most = self._job.total_cpu_seconds + self._job.loading_seconds
        if number in (signal.SIGXCPU, signal.SIGKILL) and float(facts.get("cpu", 0)) >= most:
            return Stopped(Outcome.TIME_LIMIT, self.budget.total_told.format(seconds=self.budget.total_limit))
        if number == signal.SIGKILL:
            # No learner can send it, itself included; and what we kill for is told above.
            raise Fault("the learner's process was killed by something outside")
        if number:
            return Stopped(Outcome.RUNTIME_ERROR, wording.CRASHED.format(signal=_signal_name(number)))
        return Stopped(Outcome.RUNTIME_ERROR, wording.EXITED)

    def delay(self) -> float:
        """Seconds that the present learner was ready to run and was not run."""
        return float(self._init.ask("delay").get("delay", 0.0))

    def _near_memory_limit(self, facts: dict[str, Any]) -> bool:
        """A failed allocation inside native code ends in a crash; the peak tells it from other crashes.

        Not where the limit is so low that libraries alone can reach it: there, a crash is told as a crash.
        """
        added = (float(facts.get("peak_kb", 0)) - _own_resident_kb()) / 1024
        return added >= max(_NEAR_LIMIT * self._job.memory_mb, _LIBRARIES_MB)


class _Clock:
    """Charges one exchange: CPU time read from outside, wall time only as a backstop."""

    def __init__(self, learner: RemoteLearner, pid: int) -> None:
        self._learner, self._clock = learner, clock_of(pid)
        self._cpu = time.clock_gettime(self._clock)
        self._started = time.monotonic()
        self._poll = select.poll()

    def wait(self, fd: int, event: int) -> None:
        self._poll.register(fd, event)
        try:
            while True:
                used = self._used()
                left = self._learner.budget.left - used
                wall_left = self._learner.budget.wall_left - (time.monotonic() - self._started)
                if left <= 0:
                    self.settle()
                    raise self._learner.out_of_time()
                if wall_left <= 0:
                    self.settle()
                    self._learner.credit(self._learner.delay())
                    if self._learner.budget.wall_left <= 0:
                        raise self._learner.asleep()
                    continue
                # One thread cannot use CPU faster than time passes: no need to look sooner.
                if self._poll.poll(max(1.0, min(left, wall_left) * 1000)):
                    return
        finally:
            self._poll.unregister(fd)

    def settle(self) -> None:
        """Charge what has not been charged yet."""
        used, now = self._used(), time.monotonic()
        self._learner.budget.charge(used, now - self._started)
        self._cpu += used
        self._started = now

    def _used(self) -> float:
        try:
            return max(0.0, time.clock_gettime(self._clock) - self._cpu)
        except OSError:  # already gone
            return 0.0


def learner_failure(error: LearnerError, job: Job) -> tuple[Outcome, str]:
    """What an exception in learner code means: a failed allocation is a memory limit, however it is spelled."""
    text = f"{error.type_name} {error.message}".lower()
    if error.type_name.endswith("MemoryError") or any(word in text for word in _MEMORY_WORDS):
        return Outcome.MEMORY_LIMIT, wording.MEMORY_LIMIT.format(megabytes=job.memory_mb)
    place = f" (line {error.line})" if error.line else ""
    if error.type_name == "SystemExit":
        return Outcome.RUNTIME_ERROR, wording.EXITED
    if not_here := _not_here(error, text):
        return Outcome.RUNTIME_ERROR, not_here.format(place=place)
    return Outcome.RUNTIME_ERROR, f"{error}{place}{_what_to_do(error)}"


def _what_to_do(error: LearnerError) -> str:
    """Of exceptions that come from where the code runs, and not from what it says; and of a few that puzzle."""
    if error.type_name == "ModuleNotFoundError":
        return f". {wording.ONLY_THESE}"
    if error.type_name == "EOFError":
        return f". {wording.NOBODY_TYPES}"
    if error.type_name == "NameError" and "'get_ipython'" in error.message:
        return f". {wording.NOTEBOOK_COMMAND}"
    if "Module.__init__() call" in error.message:
        return f". {wording.NO_INIT}"
    return f". {wording.NO_GPU.format(place='')}" if "cuda" in error.message.lower() else ""


def _not_here(error: LearnerError, text: str) -> str:
    """What was tried that nobody can do here, whatever Python says of it; or an empty text."""
    if _NO_GPU.search(text):
        return wording.NO_GPU
    if error.reached == "network":
        return wording.NO_NETWORK
    if error.reached == "processes" or "can't start new thread" in text:
        return wording.NO_PROCESSES
    return wording.NOT_ALLOWED if error.type_name == "PermissionError" and "[errno 1]" in text else ""


def refused_reply(error: ReplyTooLarge | MalformedReply, job: Job) -> tuple[Outcome, str]:
    """What it means that a reply came, and could not be taken."""
    if isinstance(error, ReplyTooLarge):
        told = wording.REPLY_COUNT.format(count=values.MAX_ITEMS) if error.too_many else _reply_limit(job)
        return Outcome.OUTPUT_LIMIT, told
    return Outcome.RUNTIME_ERROR, wording.PROTOCOL


def _reply_limit(job: Job) -> str:
    return wording.REPLY_LIMIT.format(megabytes=job.reply_mb)


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def _own_resident_kb() -> float:
    """The checker is a fork of the same zygote: what it has resident, a learner has too before its code runs."""
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
