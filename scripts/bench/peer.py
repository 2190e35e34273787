"""Whole sessions of the checker in which the learner's process misbehaves.

The real `Runner` and `RemoteLearner` talk over a socket pair to a thread that answers honestly or does what a hostile
learner could do at the level of the wire. Whatever it does, a test may pass only if the frames that were read carried
the right values under the right call ids.
"""

from __future__ import annotations

import contextlib
import socket
import subprocess
import threading
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from random import Random
from time import sleep
from types import TracebackType
from typing import Any, Self

import numpy as np
import torch

from exercises.testkit import values
from exercises.testkit.workbench import Workbench
from grader import wording
from grader.checker.job import Findings
from grader.checker.remote import Init
from grader.checker.runner import Runner
from grader.report import Outcome, TestReport
from grader.sandbox.wire import Kind
from scripts.bench.mutations import HEADER, frame, mutate_frame, mutate_value
from scripts.bench.right import FRAME_CAP, REPLY_CAP, Asked
from scripts.bench.small_job import TESTS, a_job

_HASTY_SECONDS = 0.02  # of processor time: five times that is how long a late answer is waited for


class _Peer:
    """The learner's end of one connection, in a thread of its own."""

    def __init__(self, session: Session, end: socket.socket) -> None:
        self._session, self._socket = session, end
        self._stream = session.live = bytearray()
        self._workbench = Workbench(REPLY_CAP)
        threading.Thread(target=self._run, daemon=True).start()

    def _run(self) -> None:
        with contextlib.suppress(OSError, EOFError), self._socket:
            manner, random = self._session.manner, self._session.random
            if manner == "unready" and random.random() < 0.5:
                self._write(random.choice((b"", frame(b"no seccomp", bytes(8), Kind.FAILED), random.randbytes(40))))
                return
            self._write(frame(b"", bytes(8), Kind.READY))
            while manner != "deaf":
                self._answer()
            self._session.over.wait()

    def _answer(self) -> None:
        _, _, call, length = HEADER.unpack(self._exactly(HEADER.size))
        request = self._exactly(length)
        asked = Asked(
            self._stream, len(self._session.of(self._stream)), call, request, self._workbench.exchange(request)
        )
        self._session.asked.append(asked)
        for step in self._session.steps(asked):
            if isinstance(step, float):
                sleep(step)
            else:
                self._write(step)

    def _write(self, data: bytes) -> None:
        self._stream += data
        self._socket.sendall(data)

    def _exactly(self, size: int) -> bytes:
        data = b""
        while len(data) < size:
            part = self._socket.recv(size - len(data))
            if not part:
                raise EOFError
            data += part
        return data


class _FakeInit(Init):
    """Starts peers instead of processes, and tells of deaths what the kernel might."""

    def __init__(self, session: Session, pid: int) -> None:
        self._session, self._pid = session, pid

    def new_learner(self) -> tuple[int, int]:
        ours, theirs = socket.socketpair()
        _Peer(self._session, theirs)
        return ours.detach(), self._pid

    def ask(self, do: str, **facts: str) -> dict[str, Any]:
        random, honest = self._session.random, self._session.manner == "honest"
        if do == "why":
            return random.choice(({}, {"signal": 11}, {"oom": True}, {"output": True}, {"signal": 24, "cpu": 1e6}))
        if do == "mark" and not honest and random.random() < 0.01:
            self._session.printed_too_much = True
            return {"exceeded": True}
        return {}


@dataclass(slots=True)
class Session:
    """One submission by a learner of this manner: honest, unready, late, deaf, or rude (misbehaving now and then)."""

    random: Random
    manner: str
    corpus: Sequence[bytes] = ()
    asked: list[Asked] = field(default_factory=list)
    outcomes: Counter[str] = field(default_factory=Counter)
    violations: list[str] = field(default_factory=list)
    printed_too_much: bool = False
    over: threading.Event = field(default_factory=threading.Event)
    live: bytearray = field(default_factory=bytearray)
    _seen: tuple[bytearray, int] = (bytearray(), 0)

    def of(self, stream: bytearray) -> list[Asked]:
        return [one for one in self.asked if one.stream is stream]

    def run(self, idle_pid: int) -> Self:
        """Judge, and note every outcome, and everything that must not be."""
        job = a_job(_HASTY_SECONDS if self.manner in ("late", "deaf") else 5.0)
        runner = Runner(job, _FakeInit(self, idle_pid), self._check)
        try:
            findings = runner.run()
            findings = Findings.decode(findings.encode())
            for test in findings.tests:
                TestReport.from_json({**test, "stdout": "", "stderr": ""})
        except BaseException as error:  # noqa: BLE001 - that nothing at all may be raised is what is measured
            self.violations.append(f"the checker raised {type(error).__name__}: {error}")
        else:
            if bool(findings.fault) and self.manner != "unready":
                self.violations.append(f"a learner caused a fault: {findings.fault}")
            if findings.fault:
                self.outcomes[f"fault: {findings.fault.split(':')[0]}"] += 1
            elif len(findings.tests) != TESTS.count("def test_"):
                self.violations.append(f"{len(findings.tests)} tests were reported")
        finally:
            self.over.set()
            runner._learner.stop()  # as the end of the checker's process would: the peer's thread sees it, and ends
        return self

    def _check(self, test: dict[str, Any], total: int) -> None:
        self.outcomes[_named(test)] += 1
        passed = test["outcome"] == Outcome.PASSED
        # A test that passed asked everything on the connection that is open now.
        stream, seen = self._seen
        on_this = self.of(self.live)
        asked, self._seen = on_this[seen if stream is self.live else 0 :], (self.live, len(on_this))
        if passed and not (asked and all(one.right for one in asked)):
            self.violations.append(f"{test['name']} passed with a wrong reply")
        if self.manner == "honest" and not passed:
            self.violations.append(f"{test['name']} of an honest learner: {test['message']}")
        if passed and self.printed_too_much:
            self.violations.append(f"{test['name']} passed after printing too much")
        self.printed_too_much = False

    # What a learner may do with the reply that it owes

    def steps(self, asked: Asked) -> Iterator[bytes | float]:
        """What to write, and seconds to wait in between; ending without a whole reply hangs up."""
        reply = frame(asked.honest, asked.call)
        if self.manner == "honest" or self.random.random() < 0.8:
            yield reply
        elif self.manner == "late":
            yield from (8 * _HASTY_SECONDS, reply)
        else:
            yield from self._rude(asked, reply)

    def _rude(self, asked: Asked, reply: bytes) -> Iterator[bytes | float]:
        random, call, honest = self.random, asked.call, asked.honest
        before = self.asked[-2] if len(self.asked) > 1 else asked
        match random.randrange(20):
            case 0:
                raise EOFError
            case 1:
                yield reply[: random.randrange(len(reply))]
                raise EOFError
            case 2:
                yield frame(before.honest, before.call) + reply
            case 3:
                yield reply + frame(honest, random.randbytes(8))  # the next answer, ahead of its question
            case 4:
                yield frame(honest, random.choice((before.call, bytes(8), random.randbytes(8))))
            case 5:
                yield frame(honest, call, random.choice((*Kind, 0, 77)))
            case 6:
                yield frame(honest, call, length=random.choice((FRAME_CAP + 1, 1 << 40, (1 << 64) - 1)))
            case 7:
                yield random.randbytes(random.randrange(1, 4000))
                raise EOFError
            case 8:
                yield mutate_frame(reply, random, frame(before.honest, before.call))
                raise EOFError
            case 9 | 12 | 13:
                yield frame(values.encode(_forged(random)), call)
            case 10:
                yield from (reply[:10], 0.001, reply[10:30], 0.001, reply[30:])
            case 11:
                yield frame(random.choice(self.corpus or (honest,)), call)
            case 14:
                yield frame(_altered(honest, random), call)
            case 15 | 16 if values.decode(asked.request)["do"] == "load":
                yield frame(values.encode({"invalid": _why_not(random)}), call)
            case _:
                yield frame(mutate_value(honest, random, self.corpus or (honest,), REPLY_CAP), call)


def _altered(honest: bytes, random: Random) -> bytes:
    """A proper reply with another value: what a learner who is merely wrong returns."""
    reply = values.decode(honest)
    value = reply.get("value")
    if type(value) is np.ndarray and value.dtype.kind == "f":
        value = random.choice((None, value + 1, value.T, value.astype(np.int64), value * np.float64(np.nan)))
    return values.encode({**reply, "value": value} if "value" in reply else reply)


def _why_not(random: Random) -> dict[str, Any]:
    """Facts of a source that cannot be loaded, as the workbench tells them."""
    return random.choice(
        (
            {"why": "syntax", "line": 3, "message": "invalid syntax"},
            {"why": "missing", "name": "double", "kind": "function", "signature": "double(x)"},
            {"why": "forbidden", "line": 1, "name": "torch.softmax"},
            {"why": "depth"},
        )
    )


def _forged(random: Random) -> dict[str, Any]:
    """A reply that the workbench makes only when something is wrong, with facts as wild as values can be."""
    wild: Any = random.choice(
        (None, -1, 10**300, "\ud800{line}\x00%s", ["x"] * 50, {"type": []}, np.zeros(9), torch.ones(2), b"\xff")
    )
    kind = random.choice(("MemoryError", "ValueError", wild))
    return random.choice(
        (
            {"error": {"type": kind, "message": wild, "traceback": wild, "line": wild}},
            {"error": wild},
            {
                "invalid": {
                    "why": random.choice(("syntax", "missing", "forbidden", "depth", wild)),
                    "line": wild,
                    "kind": wild,
                }
            },
            {"invalid": wild},
            {"too_large": wild},
            {"unsupported": wild},
            {"value": wild},
            {"value": values.Handle(random.randrange(1 << 60), "x" * 300)},
            {"value": {"lacks": [wild], "extra": {}, "shapes": {}}},
            {"value": {"output": torch.ones(1, 2), "inputs": [wild], "parameters": {"w": wild}}},
            {"value": wild, "mutated": wild},
            {"not_module": wild},
            {"lazy": wild},
            {},
        )
    )


_SENTENCES = {
    name: text.split("{")[0]
    for name, text in vars(wording).items()
    if name.isupper() and isinstance(text, str) and text[0] != "{"
}


def _named(test: dict[str, Any]) -> str:
    """The outcome, and which sentence said it."""
    details, message = test["details"], test["message"]
    named = next((name for name, start in _SENTENCES.items() if message.startswith(start)), "")
    if test["outcome"] in (Outcome.PASSED, Outcome.INVALID_SUBMISSION):
        return str(test["outcome"])
    return (
        f"{test['outcome']}: {details.get('kind') or named or ('an exception' if 'exception' in details else 'assert')}"
    )


class Idle:
    """A process that does nothing: its processor clock, which the checker reads, stands still."""

    def __enter__(self) -> int:
        self._process = subprocess.Popen(["sleep", "infinity"])
        return self._process.pid

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.kill()
        self._process.wait()
