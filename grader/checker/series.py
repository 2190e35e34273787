"""Many programs tried on one exercise in one go, which is how its tests are proven: what is asked, what is found.

JSON both ways, like a single job.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from typing import Any, Self

from grader import strict
from grader.checker.job import Findings, Job, Named

SERIES_BYTES = 64 << 20
_BEGINNING = b'{"series":'


@dataclass(frozen=True, slots=True)
class Trial:
    """Judge `source` under `seed`. With `stop_early` nothing is run after the first test that fails, or (to `diagnose`)
    only where a known mistake fails it alike."""

    source: str
    seed: int
    diagnose: bool = False
    stop_early: bool = False


@dataclass(frozen=True, slots=True)
class Comparison:
    """Ask each of `others` what the tests ask `source`, under one seed after the other, until `enough` calls differ in
    what they ask. Numbers are the same within `rtol` and `atol`."""

    source: str
    others: list[str]
    seeds: list[int]
    enough: int
    rtol: float
    atol: float


@dataclass(frozen=True, slots=True)
class Agreement:
    """Of one of `others`: whether every call was answered alike, how many there were, and the test that tells apart."""

    alike: bool
    calls: int
    test: str = ""


@dataclass(frozen=True, slots=True)
class Leak:
    """`test` compares with a value that the test `sender` had sent to the learner before, beginning with `numbers`."""

    test: str
    sender: str
    numbers: list[float]


@dataclass(frozen=True, slots=True)
class Series:
    """`job` is what the trials have in common. `show_samples` asks what numbers its sample tests give and take,
    `leak_seeds` under which seeds to look for answers that its tests send along."""

    job: Job
    trials: list[Trial] = field(default_factory=list)
    comparisons: list[Comparison] = field(default_factory=list)
    show_samples: bool = False
    leak_seeds: list[int] = field(default_factory=list)

    def encode(self) -> bytes:
        data = json.dumps({"series": asdict(self)}).encode()
        assert data.startswith(_BEGINNING)
        return data

    @classmethod
    def decode(cls, data: bytes) -> Self | None:
        """None when `data` is a single job."""
        if not data.startswith(_BEGINNING):
            return None
        facts = json.loads(data)["series"]
        return cls(
            Job.decode(json.dumps(facts["job"]).encode()),
            [Trial(**trial) for trial in facts["trials"]],
            [Comparison(**comparison) for comparison in facts["comparisons"]],
            facts["show_samples"],
            facts["leak_seeds"],
        )


@dataclass(slots=True)
class SeriesFindings:
    """In the order of what was asked. Tests come without details, which nobody reads here.

    `public` has the reasons of tests that may compare with what was sent, by name.
    """

    trials: list[Findings] = field(default_factory=list)
    comparisons: list[list[Agreement]] = field(default_factory=list)
    shown: list[float] = field(default_factory=list)
    leaks: list[Leak] = field(default_factory=list)
    public: dict[str, str] = field(default_factory=dict)

    def encode(self) -> bytes:
        return strict.encode(asdict(self))

    @classmethod
    def decode(cls, data: bytes) -> Self:
        """Raise ValueError, TypeError or KeyError unless it is such a report."""
        values: dict[str, Any] = strict.decode(data, SERIES_BYTES)
        return cls(
            [_findings(trial) for trial in values["trials"]],
            [[Agreement(**found) for found in agreements] for agreements in values["comparisons"]],
            values["shown"],
            [Leak(**leak) for leak in values["leaks"]],
            values["public"],
        )


def _findings(facts: dict[str, Any]) -> Findings:
    return Findings(**facts | {"mistakes": [Named(**one) for one in facts["mistakes"]]})
