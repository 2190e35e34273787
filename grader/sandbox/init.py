"""The trusted parent of one job: PID 1 of its namespace, small, and the only one that kills and reaps.

It starts the checker and a first learner, which stand by until the order comes, starts another learner whenever the
checker asks, drains what learners print, watches their memory, and ends everything on the deadline or when the worker
closes the control channel, so that a killed worker leaves nothing behind.
"""

from __future__ import annotations

import contextlib
import json
import math
import os
import select
import signal
import socket
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field

from grader.sandbox import cgroups, linux, memory, starvation
from grader.sandbox.confine import tidy_descriptors
from grader.sandbox.orders import Order
from grader.sandbox.standby import wait_rehearsing
from grader.sandbox.wire import Channel, Closed, Kind, forever, until

_DRAIN = 1 << 16
_ORDER_CAP = 4096
_OUTPUT_WAIT = 5.0
_DYING = 1.0  # a dying process closes its descriptors before it can be reaped


@dataclass(frozen=True, slots=True)
class Roles:
    """How to become what: called in a fresh fork with the pid of init. They never return."""

    checker: Callable[[int], None]
    learner: Callable[[int, Order], None]


@dataclass(frozen=True, slots=True)
class Handles:
    """Descriptors opened before the minimal root hid what they lead to; -1 or empty where there is nothing."""

    join: list[int]
    events: int
    proc: int


@dataclass(slots=True)
class _Learner:
    pid: int
    outputs: dict[int, str]
    watch: memory.Watch | None = None
    killed_for_output: bool = False
    killed_for_memory: bool = False


@dataclass(slots=True)
class _Output:
    """What learners printed, loading or in tests, since the last mark; in the two streams at most `left` bytes more."""

    left: int = 0
    exceeded: bool = False
    parts: dict[str, bytearray] = field(default_factory=lambda: {"stdout": bytearray(), "stderr": bytearray()})


class Init:
    """One job. `run` returns when it is over; the caller then exits, which ends all that is left in the namespace."""

    def __init__(self, control: int, case: int, roles: Roles, handles: Handles) -> None:
        self._roles, self._handles = roles, handles
        self._control, self._case = Channel(control), case
        self._order: Order | None = None
        self._deadline = math.inf
        self._loading, self._testing = _Output(), _Output()
        self._output = self._loading
        self._learner: _Learner | None = None
        self._spare: tuple[_Learner, socket.socket] | None = None
        self._poll = select.poll()
        self._oom_kills = 0

    def run(self) -> None:
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._commands = ours
        checker = self._fork(lambda: self._become_checker(theirs.fileno()))
        theirs.close()
        os.close(self._case)
        self._spare = self._start_learner()
        self._poll.register(self._control.fd, select.POLLIN)
        self._poll.register(ours.fileno(), select.POLLIN)
        with contextlib.suppress(Closed):
            self._take_order()
            while self._step():
                pass
        self._end(checker)

    def _take_order(self) -> None:
        """Wait for the order, and pass it on to the learner that stands by."""
        assert self._spare is not None
        frame = self._control.receive(_ORDER_CAP, forever)
        self._order = order = Order.decode(frame.payload)
        self._deadline = time.monotonic() + order.wall_seconds
        self._loading.left = self._testing.left = order.output_bytes
        self._oom_kills = self._count_oom_kills()
        Channel(self._spare[1].fileno()).send(Kind.ORDER, frame.payload, forever)

    def _step(self) -> bool:
        """Handle what is ready; False when the job is over."""
        left = self._deadline - time.monotonic()
        if left <= 0:
            return False
        watch = self._learner.watch if self._learner else None
        for fd, _ in self._poll.poll(1000 * (min(left, watch.patience) if watch else left)):
            if fd == self._control.fd:
                return False  # the worker writes the order and no more: readable means closed
            if fd == self._commands.fileno():
                message = self._commands.recv(4096)
                if not message:
                    return False
                self._obey(json.loads(message))
            else:
                self._drain(fd)
        if self._learner:
            _bound_memory(self._learner)
        return True

    # What the checker may ask

    def _obey(self, command: dict[str, object]) -> None:
        do = command["do"]
        if do == "learner":
            self._hand_over()
        elif do == "why":
            self._answer(self._end_learner(patience=_DYING if command["state"] == "dying" else 0.0))
        elif do == "delay":
            self._answer({"delay": self._delay()})
        elif do == "mark":
            exceeded = self._send_output(str(command["test"]))
            self._output = self._testing
            self._answer({"exceeded": exceeded, "delay": self._delay()})

    def _delay(self) -> float:
        """Seconds that the present learner was ready to run and was not run."""
        return starvation.run_delay(self._learner.pid, self._handles.proc) if self._learner else 0.0

    def _answer(self, facts: dict[str, object]) -> None:
        self._commands.send(json.dumps(facts).encode())

    def _hand_over(self) -> None:
        if self._learner is not None:
            self._end_learner()
        learner, end = self._spare or self._start_learner()
        self._spare, self._learner = None, learner
        self._output = self._loading  # until the next mark
        assert self._order is not None
        learner.watch = memory.Watch(learner.pid, self._handles.proc, self._order.memory_mb << 20)
        socket.send_fds(self._commands, [json.dumps({"pid": learner.pid}).encode()], [end.fileno()])
        end.close()

    # Learners

    def _start_learner(self) -> tuple[_Learner, socket.socket]:
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
        out, err = os.pipe(), os.pipe()
        pid = self._fork(lambda: self._become_learner(theirs.detach(), out[1], err[1]))
        theirs.close()
        learner = _Learner(pid, {out[0]: "stdout", err[0]: "stderr"})
        for reading, writing in (out, err):
            os.close(writing)
            os.set_blocking(reading, False)
            self._poll.register(reading, select.POLLIN)
        return learner, ours

    def _end_learner(self, patience: float = 0.0) -> dict[str, object]:
        """Kill and reap the learner, after waiting `patience` seconds for its own end; say how it ended."""
        learner, self._learner = self._learner, None
        if learner is None:
            return {}
        _wait_for_end(learner, patience)
        _stop_watching(learner)
        with contextlib.suppress(ProcessLookupError):
            status_pid, status, usage = os.wait4(learner.pid, os.WNOHANG)
            if not status_pid:
                os.kill(learner.pid, signal.SIGKILL)
                _, status, usage = os.wait4(learner.pid, 0)
                # One that was dying already, on a machine too busy to bury it in time, keeps its own reason.
                status = -1 if os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL else status
        for fd in list(learner.outputs):
            self._drain(fd, learner)
            self._forget_output(fd, learner)
        oom_kills = self._count_oom_kills()
        oom, self._oom_kills = oom_kills > self._oom_kills, oom_kills
        return {
            "signal": os.WTERMSIG(status) if status != -1 and os.WIFSIGNALED(status) else 0,
            "exit": os.WEXITSTATUS(status) if status != -1 and os.WIFEXITED(status) else 0,
            "alive": status == -1,
            "output": learner.killed_for_output,
            "memory": learner.killed_for_memory,
            "oom": oom,
            "cpu": usage.ru_utime + usage.ru_stime,
            "peak_kb": usage.ru_maxrss,
        }

    def _count_oom_kills(self) -> int:
        if self._handles.events < 0:
            return 0
        return cgroups.count_oom_kills(os.pread(self._handles.events, 4096, 0).decode())

    # What learners print

    def _drain(self, fd: int, learner: _Learner | None = None) -> None:
        learner = learner or self._owner(fd)
        if learner is None:
            return
        while True:
            try:
                data = os.read(fd, _DRAIN)
            except BlockingIOError:
                return
            if not data:
                self._forget_output(fd, learner)
                return
            self._output.parts[learner.outputs[fd]] += data[: self._output.left]
            self._output.left -= len(data)
            if self._output.left < 0:
                self._output.left, self._output.exceeded = 0, True
                learner.killed_for_output = True
                with contextlib.suppress(ProcessLookupError):
                    os.kill(learner.pid, signal.SIGKILL)
                return

    def _owner(self, fd: int) -> _Learner | None:
        spare = self._spare[0] if self._spare else None
        return next((one for one in (self._learner, spare) if one is not None and fd in one.outputs), None)

    def _forget_output(self, fd: int, learner: _Learner) -> None:
        if learner.outputs.pop(fd, None) is not None:
            self._poll.unregister(fd)
            os.close(fd)

    def _send_output(self, test: str) -> bool:
        """Send on what was printed since the last mark, and say whether it was too much."""
        if self._learner is not None:
            for fd in list(self._learner.outputs):
                self._drain(fd)
        output = self._output
        for stream, data in output.parts.items():
            if data:
                head = json.dumps({"test": test, "stream": stream}).encode() + b"\n"
                self._control.send(Kind.OUTPUT, head + bytes(data), until(time.monotonic() + _OUTPUT_WAIT))
                data.clear()
        exceeded, output.exceeded = output.exceeded, False
        return exceeded

    # Processes

    def _fork(self, become: Callable[[], None]) -> int:
        parent = os.getpid()
        pid = os.fork()
        if pid == 0:
            try:
                linux.die_with_parent(parent)
                become()
            except BaseException:  # noqa: BLE001 - a fork must never return into init's loop
                traceback.print_exc()
            finally:
                os._exit(98)
        return pid

    def _become_checker(self, commands: int) -> None:
        null = os.open("/dev/null", os.O_RDWR)
        for fd in (0, 1):
            os.dup2(null, fd)
        tidy_descriptors([self._case, commands])
        self._roles.checker(os.getppid())

    def _become_learner(self, channel: int, out: int, err: int) -> None:
        os.dup2(os.open("/dev/null", os.O_RDONLY), 0)
        os.dup2(out, 1)
        os.dup2(err, 2)
        # Changing its group makes a process wait for the whole machine, some 50 ms: best done while none waits for it.
        for fd in self._handles.join:
            os.write(fd, b"0\n")
        order = self._order
        if order is None:
            wait_rehearsing(channel)
            order = Order.decode(Channel(channel).receive(_ORDER_CAP, forever).payload)
        tidy_descriptors([channel])
        self._roles.learner(os.getppid(), order)

    def _end(self, checker: int) -> None:
        """Kill whatever is left and reap it, so that nothing outlives the job even without a pid namespace."""
        left = [checker]
        if self._learner:
            left.append(self._learner.pid)
        if self._spare:
            left.append(self._spare[0].pid)
        for pid in left:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        for pid in left:
            with contextlib.suppress(ChildProcessError):
                os.waitpid(pid, 0)


def _stop_watching(learner: _Learner) -> None:
    if learner.watch is not None:
        learner.watch.close()
        learner.watch = None


def _bound_memory(learner: _Learner) -> None:
    if learner.watch is None or not learner.watch.exceeded():
        return
    learner.killed_for_memory = True
    _stop_watching(learner)
    with contextlib.suppress(ProcessLookupError):
        os.kill(learner.pid, signal.SIGKILL)


def _wait_for_end(learner: _Learner, seconds: float) -> None:
    """Wait for its own end; it may only look as if it were dying, so its memory is bound meanwhile, too."""
    pidfd = os.pidfd_open(learner.pid)
    poll = select.poll()
    poll.register(pidfd, select.POLLIN)
    deadline = time.monotonic() + seconds
    while (left := deadline - time.monotonic()) > 0:
        if poll.poll(1000 * (min(left, learner.watch.patience) if learner.watch else left)):
            break
        _bound_memory(learner)
    os.close(pidfd)


def main(control: int, case: int, roles: Roles, handles: Handles) -> None:
    """Run one job in this process."""
    linux.prctl(linux.PR_SET_DUMPABLE, 0)
    Init(control, case, roles, handles).run()
