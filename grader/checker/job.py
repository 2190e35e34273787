"""What the worker sends the checker, and what comes back: JSON both ways."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any, Self

from exercises.visible import clean
from grader import strict
from grader.checker.cutting import REPORT_BYTES, cut, too_many

WALL_FACTOR = 5.0
"""A learner is waited for so many times as long as it may compute."""
DIAGNOSIS_SECONDS = 5.0
EXHIBIT_SECONDS = 2.0
"""CPU seconds for all known mistakes, and for showing what the tests exhibit: both after the verdict is found."""
WHOLE_BYTES = 512 << 10
"""More than any report has: what is larger is not even read."""
_SENTENCE_CAP = 2_000
_KINDS = {"tests": list, "invalid": str, "mistakes": list, "diagnosing": bool, "fault": str, "unconfined": bool}
MISTAKES_BYTES = 16 << 10
MOST_MISTAKES = 2
LOADING_FACTOR = 1.0
"""Loading may take so many times as long as all tests may."""
COMPARING_FACTOR = 1.0
"""The checker itself may compute so many times as long as the learner may. Tests need a tenth of it."""


@dataclass(frozen=True, slots=True)
class Job:
    """One submission with everything needed to judge it. `mistakes` maps slug to sources."""

    source: str
    tests: str
    reference: str
    support: str | None
    assets: Mapping[str, str]
    mistakes: Mapping[str, list[str]]
    entries: list[dict[str, str]]
    forbidden: list[str]
    rtol: float
    atol: float
    cpu_seconds: float
    total_cpu_seconds: float
    memory_mb: int
    output_kb: int
    reply_mb: float
    seed: int
    sample_only: bool
    diagnose: bool = True
    stop_early: bool = False  # after the first test that fails
    exhibit: bool = True
    unusable: str = ""
    """Why the file is no text that could be run; then no learner is started, and the tests are only counted."""

    def encode(self) -> bytes:
        return json.dumps(asdict(self)).encode()

    @classmethod
    def decode(cls, data: bytes) -> Self:
        values = json.loads(data)
        return cls(**{item.name: values[item.name] for item in fields(cls)})

    @property
    def reply_bytes(self) -> int:
        return int(self.reply_mb * (1 << 20))

    @property
    def loading_seconds(self) -> float:
        """CPU seconds for loading the file, each time that it must be, all together."""
        return LOADING_FACTOR * self.total_cpu_seconds

    @property
    def comparing_seconds(self) -> float:
        return COMPARING_FACTOR * self.total_cpu_seconds

    def asset_bytes(self) -> dict[str, bytes]:
        return {path: base64.b64decode(text) for path, text in self.assets.items()}


@dataclass(frozen=True, slots=True)
class Named:
    """A known mistake that the submission makes, and the sentence that says by what it was recognised.

    `whole`: it explains every failed test that could be compared.
    """

    slug: str
    evidence: str
    whole: bool


@dataclass(slots=True)
class Findings:
    """The checker's report. `invalid` is the sentence for a submission that could not be used; `fault` is ours,
    and with `unconfined` that of this machine: no submission may run on it.

    While `diagnosing`, which mistakes were made is still to be found out, and told by itself.
    """

    tests: list[dict[str, Any]] = field(default_factory=list)
    invalid: str = ""
    mistakes: list[Named] = field(default_factory=list)
    diagnosing: bool = False
    fault: str = ""
    unconfined: bool = False
    seconds: float = 0.0

    def encode(self) -> bytes:
        """Strict JSON of no more than `REPORT_BYTES`; a fault in place of tests that cannot be cut so far."""
        for name in ("invalid", "fault"):
            setattr(self, name, clean(getattr(self, name), _SENTENCE_CAP))
        if too_many(self.tests):
            fault = f"a report on {len(self.tests)} tests is larger than {REPORT_BYTES >> 10} KB, however it is cut"
            return Findings(fault=fault).encode()
        data = strict.encode(self._facts())
        if len(data) <= REPORT_BYTES:
            return data
        cut(self.tests, len(data))
        return strict.encode(self._facts())

    def _facts(self) -> dict[str, Any]:
        # `asdict` would copy every number.
        facts = {item.name: getattr(self, item.name) for item in fields(self)}
        return facts | {"mistakes": [asdict(one) for one in self.mistakes]}

    @classmethod
    def decode(cls, data: bytes) -> Self:
        """Raise ValueError unless it is a report, whoever wrote it."""
        values = strict.decode(data, WHOLE_BYTES)
        if type(values) is not dict or set(values) != {item.name for item in fields(cls)}:
            raise ValueError("not a report")
        kinds = {name: type(value) for name, value in values.items()}
        seconds = kinds.pop("seconds")
        if kinds != _KINDS or seconds not in (int, float) or not all(type(test) is dict for test in values["tests"]):
            raise ValueError("not a report")
        return cls(**values | {"mistakes": _named(values["mistakes"])})


def encode_mistakes(mistakes: list[Named]) -> bytes:
    return strict.encode([asdict(one) for one in mistakes])


def decode_mistakes(data: bytes) -> list[Named]:
    """Raise ValueError unless it is such a list, whoever wrote it."""
    return _named(strict.decode(data, MISTAKES_BYTES))


def _named(found: Any) -> list[Named]:
    if type(found) is not list or len(found) > MOST_MISTAKES:
        raise ValueError("not a list of mistakes")
    for one in found:
        kinds = {name: type(fact) for name, fact in one.items()} if type(one) is dict else {}
        if kinds != {"slug": str, "evidence": str, "whole": bool}:
            raise ValueError("not a mistake")
    return [Named(clean(one["slug"], 200), clean(one["evidence"], _SENTENCE_CAP), one["whole"]) for one in found]
