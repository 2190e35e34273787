"""Answers that a test sent along: an expected value that the learner's process had been given before it was asked for.

A learner's code may keep all that it is ever sent, so what stood in an earlier request can be returned without being
computed. Looked for in the proof of an exercise, while its tests run on the reference.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np
import torch

from exercises.testkit import values
from exercises.testkit.kinds import class_of, numbers_of
from exercises.testkit.solution import Transport
from exercises.testkit.tolerance import Tolerance
from grader.checker.series import Leak

FEWEST = 6
"""An expected value of fewer different numbers, or a row of it, may stand anywhere by chance, or because it must."""
_STEP_BY_STEP = 8
_SHOWN = 6
_LARGEST = float(np.finfo(np.float64).max)  # stands for infinity, which is as far from itself as from all else
_NO_NUMBER = -_LARGEST / 2  # stands for NaN, which is not even itself

Numbers = np.ndarray[Any, np.dtype[np.float64]]


@dataclass(frozen=True, slots=True)
class Compared:
    """What a test expected, how many requests had been sent by then, and the last of them that a value answered."""

    test: str
    expected: Any
    tolerance: Tolerance
    sent: int
    answering: int


@dataclass(slots=True)
class Ledger:
    """A transport around another one that keeps, over all tests, what was sent; and what was compared with, when."""

    inner: Transport
    test: str = ""
    senders: list[str] = field(default_factory=list)  # by request: the test that sent it
    streams: list[list[Numbers]] = field(default_factory=list)  # by request: the numbers of its arguments
    comparisons: list[Compared] = field(default_factory=list)
    answering: int = -1

    def begin(self, test: str) -> None:
        self.test, self.answering = test, -1

    def exchange(self, request: bytes) -> bytes:
        """Parameters that a test loads are no part of it: a row of them may well be what is asked for."""
        asked, reply = values.decode(request, cap=len(request)), self.inner.exchange(request)
        if asked["do"] in ("call", "gradients"):
            given = [*asked["args"], *asked["kwargs"].values(), asked.get("cotangent")]
            self.streams.append([stream for value in given for stream in _streams(value)])
            self.senders.append(self.test)
            if type(values.decode(reply, cap=len(reply)).get("value")) is not values.Handle:
                self.answering = len(self.streams) - 1
        return reply

    def witness(self, actual: Any, expected: Any, tolerance: Tolerance) -> None:
        self.comparisons.append(Compared(self.test, expected, tolerance, len(self.streams), self.answering))

    def leaks(self) -> list[Leak]:
        """One for each test that compares with what was sent earlier, and each test that sent it."""
        sent = _Sent.of(self.streams)
        found: dict[tuple[str, str], Leak] = {}
        with np.errstate(all="ignore"):
            for compared in self.comparisons:
                for part, request in sent.found_before(compared, compared.expected):
                    leak = Leak(compared.test, self.senders[request], part[:_SHOWN].tolist())
                    found.setdefault((leak.test, leak.sender), leak)
        return list(found.values())


@dataclass(frozen=True, slots=True)
class _Sent:
    """All numbers ever sent, in one row, with a NaN between any two arguments; and sorted, to find one by its value."""

    numbers: Numbers
    requests: np.ndarray[Any, np.dtype[np.int64]]
    order: np.ndarray[Any, np.dtype[np.int64]]
    by_value: Numbers

    @classmethod
    def of(cls, streams: Sequence[Sequence[Numbers]]) -> Self:
        parts = [(np.append(stream, np.nan), number) for number, each in enumerate(streams) for stream in each]
        numbers = np.concatenate([part for part, _ in parts] or [np.empty(0)])
        requests = np.repeat([number for _, number in parts], [len(part) for part, _ in parts]).astype(np.int64)
        order = np.argsort(numbers, kind="stable")
        return cls(numbers, requests, order, numbers[order])

    def found_before(self, compared: Compared, expected: Any) -> Iterator[tuple[Numbers, int]]:
        """`expected`, or its largest parts, if they had been sent, and the last request in which they stood.

        Not what the call that answered was given itself: to return its input, or a row of it, may be right.
        """
        if _different(_flat(expected), compared.tolerance) < FEWEST:
            return
        for flat in _with_and_without_ends(expected):
            if _different(flat, compared.tolerance) < FEWEST:
                continue
            found = self._requests_with(flat, compared.tolerance)
            found = found[found < compared.sent]
            if len(found):
                if compared.answering not in found:
                    yield flat, int(found[-1])
                return
        for part in _parts(expected):
            yield from self.found_before(compared, part)

    def _requests_with(self, part: Numbers, tolerance: Tolerance) -> np.ndarray[Any, np.dtype[np.int64]]:
        """The requests, in order, in one of whose arguments these numbers stand one after the other."""
        allowed = tolerance.atol + tolerance.rtol * np.abs(part)
        pivot = int(np.argmax(np.abs(part)))
        first = np.searchsorted(self.by_value, part[pivot] - allowed[pivot], "left")
        last = np.searchsorted(self.by_value, part[pivot] + allowed[pivot], "right")
        starts = self.order[first:last] - pivot
        starts = starts[(starts >= 0) & (starts + len(part) <= len(self.numbers))]
        for place in range(min(_STEP_BY_STEP, len(part))):
            starts = starts[np.abs(self.numbers[starts + place] - part[place]) <= allowed[place]]
        whole = [start for start in starts if np.all(np.abs(self.numbers[start : start + len(part)] - part) <= allowed)]
        return np.sort(self.requests[np.array(whole, dtype=np.int64)])


def _streams(value: Any) -> Iterator[Numbers]:
    """The numbers of a value in order, as one row; of a dictionary, its keys' and its values' apart."""
    if type(value) is dict:
        yield from _streams(list(value))
        yield from _streams(list(value.values()))
    elif type(value) in (list, tuple):
        pieces = [stream for item in value for stream in _streams(item)]
        if pieces:
            yield np.concatenate(pieces)
    elif type(value) is str:  # a sentence is its words
        yield np.array([float(ord(letter)) for letter in value if not letter.isspace()])
    elif type(value) is bytes:
        yield np.frombuffer(value, np.uint8).astype(np.float64)
    elif class_of(value) != "other":
        numbers = numbers_of(value).ravel()
        plain = numbers.view(np.float64) if numbers.dtype.kind == "c" else numbers.astype(np.float64)
        yield np.nan_to_num(plain, nan=_NO_NUMBER, posinf=_LARGEST, neginf=-_LARGEST)


def _flat(value: Any) -> Numbers:
    return np.concatenate([*_streams(value), np.empty(0)])


def _parts(value: Any) -> Iterator[Any]:
    """The items of a sequence or dictionary, the rows of what has two axes or more."""
    if type(value) is dict:
        yield from value.values()
    elif type(value) in (list, tuple) or (isinstance(value, (np.ndarray, torch.Tensor)) and value.ndim > 1):
        yield from value


def _with_and_without_ends(value: Any) -> Iterator[Numbers]:
    """Its numbers; and those of a row of tokens without its first and its last, which are marks that anybody adds."""
    flat = _flat(value)
    yield flat
    if np.array_equal(flat, np.rint(flat)) and all(len(_flat(part)) == 1 for part in _parts(value)):
        yield from (flat[1:], flat[:-1], flat[1:-1])


def _different(part: Numbers, tolerance: Tolerance) -> int:
    """How many of the numbers are told apart."""
    ordered = np.sort(part)
    apart = np.diff(ordered) > tolerance.atol + tolerance.rtol * np.abs(ordered[1:])
    return min(1, len(part)) + int(np.sum(apart))
