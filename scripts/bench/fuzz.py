"""The wire under attack: valid frames and values, damaged by the hundred thousand, read as the checker reads them.

A mutant may be refused, in one of the ways that the code names, or be taken for a value. Then the value must be plain,
and its encoding must be what arrived. Anything else is a violation. What counts as a refusal is read from the source:
every `raise` that can be reached must have been.
"""

from __future__ import annotations

import ast
import contextlib
import inspect
import socket
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from random import Random
from types import ModuleType
from typing import Any

import numpy as np
import torch

from exercises.testkit import solution, values
from exercises.testkit.failures import Failure
from exercises.testkit.solution import Instance, InvalidSource, LearnerError, MalformedReply, ReplyTooLarge, Solution
from exercises.testkit.values import Handle, Malformed
from grader.sandbox import wire
from grader.sandbox.wire import BadFrame, Channel, Closed, Expired, until
from scripts.bench.mutations import frame, mutate_frame, mutate_value
from scripts.bench.peer import Idle, Session
from scripts.bench.right import FRAME_CAP, REPLY_CAP
from scripts.bench.scale import WHOLE, Scale

FRAMES = 100_000
SESSIONS = 1_000
HEADERS_GOAL = 0.30
SLOWEST = 1.0  # seconds of processor time for one mutant
_MANNERS = ("rude",) * 32 + ("honest",) * 4 + ("late", "deaf", "unready", "unready")
_OUTCOMES = (
    "passed",
    "wrong_answer: values",
    "wrong_answer: kind",
    "wrong_answer: shape",
    "wrong_answer: dtype",
    "wrong_answer: nothing",
    "wrong_answer: unsupported",
    "wrong_answer: UNUSABLE",
    "runtime_error: PROTOCOL",
    "runtime_error: EXITED",
    "runtime_error: CRASHED",
    "runtime_error: an exception",
    "output_limit: REPLY_LIMIT",
    "output_limit: OUTPUT_LIMIT",
    "memory_limit: MEMORY_LIMIT",
    "time_limit: TIME_LIMIT_ASLEEP",
    "time_limit: TIME_LIMIT_TOTAL",
    "invalid_submission",
    "not_run: NOT_RUN",
    "not_run: NOT_LOADED",
    "fault: the learner's process did not become ready",
    "fault: the learner's process is not confined",
)
_PLAIN = (
    type(None),
    bool,
    int,
    float,
    complex,
    str,
    bytes,
    list,
    tuple,
    dict,
    OrderedDict,
    Handle,
    np.ndarray,
    torch.Tensor,
)
_REFUSALS: dict[ModuleType, tuple[type[BaseException], ...]] = {
    wire: (BadFrame, Closed, Expired),
    values: (Malformed,),
    solution: (MalformedReply,),
}
_EXPECTED = (Failure, LearnerError, InvalidSource, ReplyTooLarge, MalformedReply)


@dataclass(slots=True)
class Fuzzed:
    """What became of the mutants. `refusals` counts by the place of the `raise`, those never reached included."""

    frames: int = 0
    header_passed: int = 0
    decoded: int = 0
    sessions: int = 0
    slowest: float = 0.0
    refusals: Counter[str] = field(default_factory=Counter)
    outcomes: Counter[str] = field(default_factory=Counter)
    violations: list[str] = field(default_factory=list)

    @property
    def missed(self) -> list[str]:
        return sorted(name for name, count in {**self.refusals, **self.outcomes}.items() if not count)


def fuzz(scale: Scale = WHOLE) -> dict[str, float]:
    """The benchmark's run; raise if anything was violated or, in a whole run, never reached."""
    found = fuzz_frames(scale.of(FRAMES), seed=20)
    fuzz_sessions(scale.of(SESSIONS, least=len(_MANNERS)), seed=20, found=found)
    for name, count in [*sorted(found.refusals.items()), *sorted(found.outcomes.items())]:
        print(f"  {count:10}  {name}")
    missed = found.missed if scale.whole else []
    if found.violations or missed or found.header_passed < HEADERS_GOAL * found.frames:
        raise RuntimeError("\n".join(["the wire did not hold:", *found.violations[:20], *missed]))
    return {
        "frames_fuzzed": found.frames,
        "header_passed": found.header_passed / found.frames,
        "frames_decoded": found.decoded / found.frames,
        "sessions_fuzzed": found.sessions,
    }


# Whole sessions


def fuzz_sessions(count: int, seed: int, found: Fuzzed) -> Fuzzed:
    """Run so many sessions, of every manner, and add what happened to `found`."""
    corpus = [reply for _, reply in honest_exchanges()]
    found.outcomes.update(dict.fromkeys(_OUTCOMES, 0))
    with Idle() as idle_pid:
        for number in range(count):
            session = Session(Random(seed * 1_000_003 + number), _MANNERS[number % len(_MANNERS)], corpus).run(idle_pid)
            found.sessions += 1
            found.outcomes.update(session.outcomes)
            found.violations += [f"session {number}, {session.manner}: {one}" for one in session.violations]
    return found


def honest_exchanges() -> list[tuple[dict[str, Any], bytes]]:
    """Every request of one honest session, decoded, and its encoded reply."""
    with Idle() as idle_pid:
        session = Session(Random(0), "honest").run(idle_pid)
    assert not session.violations, session.violations
    return [(values.decode(one.request), one.honest) for one in session.asked]


# Frames


def fuzz_frames(count: int, seed: int) -> Fuzzed:
    """Damage so many frames and read each."""
    found, random = Fuzzed(refusals=Counter(dict.fromkeys(_places(), 0))), Random(seed)
    exchanges = honest_exchanges()
    replies = [reply for _, reply in exchanges]
    for _ in range(count):
        request, reply = random.choice(exchanges)
        data = _mutant(reply, replies, random)
        began = time.process_time()
        _read(data, request, random, found)
        found.slowest = max(found.slowest, time.process_time() - began)
        found.frames += 1
    if found.slowest > SLOWEST:
        found.violations.append(f"one frame took {found.slowest:.2f} s of processor time")
    return found


def _mutant(reply: bytes, replies: Sequence[bytes], random: Random) -> bytes:
    """Three in four have a good header, and the damage is in the value."""
    if random.random() < 0.75:
        return frame(mutate_value(reply, random, replies, REPLY_CAP), random.randbytes(8))
    return mutate_frame(frame(reply, random.randbytes(8)), random, frame(random.choice(replies), random.randbytes(8)))


def _read(data: bytes, request: dict[str, Any], random: Random, found: Fuzzed) -> None:
    """Read as the checker does: the frame, its value, and then what the test's request makes of it."""
    payload = None
    with _noted(found, data):
        payload = _received(data, random)
        found.header_passed += 1
    if payload is None:
        return
    decoded = False
    with _noted(found, data):
        value = values.decode(payload, REPLY_CAP + 4096)
        decoded = True
        found.decoded += 1
        found.violations += [f"{problem}: {payload[:200]!r}" for problem in _problems(value, payload)]
    if decoded or random.random() < 0.05:  # what is malformed here is so there
        with _noted(found, data):
            _use(payload, request)


@contextlib.contextmanager
def _noted(found: Fuzzed, data: bytes) -> Iterator[None]:
    """Count a refusal; that nothing else is ever raised is what is measured."""
    try:
        yield
    except (*_EXPECTED, Malformed, BadFrame, Closed, Expired) as error:
        if (place := _place(error)) is not None:
            found.refusals[place] += 1
    except BaseException as error:  # noqa: BLE001
        found.violations.append(f"{type(error).__name__} ({error}) from {data[:200]!r}")


def _received(data: bytes, random: Random) -> bytes:
    """What a channel makes of these bytes, whose sender then hangs up, with or without reading, or stays silent."""
    ours, peer = socket.socketpair()
    channel = Channel(ours.detach())
    with contextlib.closing(channel), peer:
        peer.sendall(data[: FRAME_CAP + 4096])  # no more is ever read, and nobody reads while this is written
        manner = random.random()
        if manner < 0.02:
            channel.send(wire.Kind.REQUEST, b"never read", wire.forever)
        if manner < 0.98:
            peer.close()
        return channel.receive(
            FRAME_CAP, until(time.monotonic() + 0.002 if manner >= 0.98 else time.monotonic() + 5)
        ).payload


def _problems(value: Any, payload: bytes) -> Iterator[str]:
    """Why this value is not what the payload said."""
    strange = {
        type(one).__name__ for one in _all_in(value) if not isinstance(one, np.generic) and type(one) not in _PLAIN
    }
    if strange:
        yield f"decoded to {strange}"
    again = values.encode(value, 2 * FRAME_CAP)
    # A whole number may have been written at greater length than need be; nothing else has two spellings.
    if again != payload and b"I" not in payload:
        yield "its encoding is another"
    if values.encode(values.decode(again), 2 * FRAME_CAP) != again:
        yield "it does not survive a second crossing"


def _all_in(value: Any) -> Iterator[Any]:
    yield value
    if isinstance(value, dict):
        for pair in value.items():
            yield from _all_in(list(pair))
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from _all_in(item)


class _Answering:
    """A transport with one answer to everything."""

    def __init__(self, reply: bytes) -> None:
        self._reply = reply

    def exchange(self, request: bytes) -> bytes:
        return self._reply


def _use(payload: bytes, request: dict[str, Any]) -> None:
    """Take the reply as the test that sent `request` would: its checks are the last before the test's own."""
    remote = Solution(_Answering(payload), reply_cap=REPLY_CAP)
    layer = Instance(remote, Handle(1, "Layer"))
    uses: dict[str, Callable[[], object]] = {
        "load": lambda: remote.load_source("", seed=0),
        "begin": lambda: remote.begin(0),
        "call": lambda: remote.double(1),
        "names": layer.names,
        "parameter_names": layer.parameter_names,
        "read": layer.read,
        "load_parameters": lambda: layer.load({"w": np.zeros((2, 2)), "b": np.zeros(2)}),
        "gradients": lambda: layer.gradients(torch.ones(1, 2), cotangent=torch.ones(1, 2)),
        "train": layer.train,
    }
    if request.get("watch"):
        remote.double.watched(1)
    else:
        uses[request["do"]]()


# Which refusals there are, and which were met


def _places() -> dict[str, tuple[ModuleType, range]]:
    """Every `raise` of a refusal on the receiving side, by a name that says where it is and how it reads."""
    found: dict[str, tuple[ModuleType, range]] = {}
    for module, kinds in _REFUSALS.items():
        known = [one for one in vars(module).values() if isinstance(one, type) and issubclass(one, kinds)]
        names = {kind.__name__ for kind in known}
        for function in ast.walk(ast.parse(inspect.getsource(module))):
            if not isinstance(function, ast.FunctionDef) or function.name == "send":
                continue
            for node in ast.walk(function):
                if isinstance(node, ast.Raise) and node.exc is not None and _raised_name(node.exc) in names:
                    text = f"{module.__name__.split('.')[-1]}.{function.name}: {ast.unparse(node.exc)}"
                    lines = range(node.lineno, (node.end_lineno or node.lineno) + 1)
                    if (module, lines) not in found.values():  # a function within a function is walked twice
                        found[text if text not in found else f"{text} ({node.lineno})"] = (module, lines)
    return found


def _raised_name(node: ast.expr) -> str:
    called = node.func if isinstance(node, ast.Call) else node
    return called.id if isinstance(called, ast.Name) else ""


def _place(error: BaseException) -> str | None:
    """Which `raise` this came from."""
    frames = list(_frames(error))
    for name, (module, lines) in _PLACES.items():
        if frames[-1] in ((module.__file__, line) for line in lines):
            return name
    return None


def _frames(error: BaseException) -> Iterator[tuple[str, int]]:
    trace = error.__traceback__
    while trace is not None:
        yield trace.tb_frame.f_code.co_filename, trace.tb_lineno
        trace = trace.tb_next


_PLACES = _places()
