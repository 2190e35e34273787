"""Starts a few programs, keeps them running, and stops them in order. Neither Django nor Celery in here."""

import signal
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType

from config import processes

BACK_OFF = (0.5, 1, 2, 5, 10, 30)
"""Seconds before the first, second, … restart of a program that keeps dying."""
CALM = 60.0
"""Seconds of running after which a program's earlier deaths are forgotten."""
TICK = 0.2
LONGEST_LOG = 5_000_000
"""Bytes after which a log is put aside at the next start."""
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def listened_to(number: int) -> bool:
    """Not to a hang-up that `nohup` has told us to ignore."""
    return number != signal.SIGHUP or signal.getsignal(number) != signal.SIG_IGN


@dataclass(frozen=True, slots=True)
class Program:
    name: str
    command: Sequence[str]
    patience: float
    """Seconds that it may take to stop before it is killed."""
    environment: Mapping[str, str] | None = None
    pass_fds: Sequence[int] = ()
    ready: Callable[[], bool] | None = None


class NotReady(Exception):
    """A program did not come up; the message says which, and where its log is."""


@dataclass(slots=True)
class Child:
    program: Program
    log: Path
    process: subprocess.Popen[bytes] | None = None
    started: float = 0.0
    deaths: int = 0
    due: float = 0.0

    def start(self) -> None:
        if self.log.exists() and self.log.stat().st_size > LONGEST_LOG:
            self.log.replace(self.log.with_suffix(".log.old"))
        with self.log.open("ab") as output:
            self.process = processes.start(
                self.program.command,
                environment=self.program.environment,
                output=output,
                pass_fds=self.program.pass_fds,
            )
        self.started = time.monotonic()

    def last_words(self) -> str:
        lines = self.log.read_text("utf-8", errors="replace").strip().splitlines()
        return lines[-1] if lines else "it said nothing"


@dataclass(slots=True)
class Supervisor:
    """Runs `programs` in their order until a signal comes, then stops them in the opposite order."""

    programs: Sequence[Program]
    logs: Path
    say: Callable[[str], None] = print
    when_ready: Callable[[], None] = lambda: None
    ready_within: float = 60.0
    children: list[Child] = field(default_factory=list)
    signals: int = 0

    def run(self) -> None:
        """Returns after an orderly stop; raises NotReady, with everything stopped, when a program does not come up."""
        previous = {number: signal.signal(number, self._heard) for number in SIGNALS if listened_to(number)}
        self.logs.mkdir(parents=True, exist_ok=True)
        try:
            self._start_all()
            while not self.signals:
                for child in self.children:
                    self._keep_running(child)
                time.sleep(TICK)
        finally:
            self._stop_all()
            for number, handler in previous.items():
                signal.signal(number, handler)

    def _heard(self, number: int, frame: FrameType | None) -> None:
        self.signals += 1
        if self.signals > 1:  # a second Ctrl-C means: now
            for child in self.children:
                if child.process:
                    processes.kill_group(child.process)

    def _start_all(self) -> None:
        for program in self.programs:
            child = Child(program, self.logs / f"{program.name}.log")
            self.children.append(child)
            child.start()
            self._await(child)
        if not self.signals:
            self.when_ready()

    def _await(self, child: Child) -> None:
        ready = child.program.ready
        until = time.monotonic() + self.ready_within
        while ready and not self.signals and not ready():
            assert child.process
            if child.process.poll() is not None or time.monotonic() > until:
                raise NotReady(f"The {child.program.name} did not start ({child.last_words()}); see {child.log}.")
            time.sleep(0.05)

    def _keep_running(self, child: Child) -> None:
        now = time.monotonic()
        if child.process is None:
            if now >= child.due:
                child.start()
            return
        code = child.process.poll()
        if code is None:
            return
        processes.stop(child.process, patience=0)  # what it leaves behind in its group
        child.process = None
        child.deaths = 1 if now - child.started > CALM else child.deaths + 1
        child.due = now + BACK_OFF[min(child.deaths, len(BACK_OFF)) - 1]
        how = f"was killed by signal {-code}" if code < 0 else f"ended with status {code}"
        self.say(f"the {child.program.name} {how}; starting it again (its log: {child.log})")

    def _stop_all(self) -> None:
        for child in reversed(self.children):
            if child.process:
                processes.stop(child.process, patience=child.program.patience)
