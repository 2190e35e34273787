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
_KINDS = {"tests": list, "invalid": str, "mistake": str, "fault": str}
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
    def comparing_seconds(self) -> float:
        return COMPARING_FACTOR * self.total_cpu_seconds

    def asset_bytes(self) -> dict[str, bytes]:
        return {path: base64.b64decode(text) for path, text in self.assets.items()}


@dataclass(slots=True)
class Findings:
    """The checker's report. `invalid` is the sentence for a submission that could not be used; `fault` is ours."""

    tests: list[dict[str, Any]] = field(default_factory=list)
    invalid: str = ""
    mistake: str = ""
    fault: str = ""
    seconds: float = 0.0

    def encode(self) -> bytes:
        """Strict JSON of no more than `REPORT_BYTES`; a fault in place of tests that cannot be cut so far."""
        for name in ("invalid", "mistake", "fault"):
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
        return {item.name: getattr(self, item.name) for item in fields(self)}  # `asdict` would copy every number

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
        return cls(**values)
