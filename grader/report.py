"""What judging one submission yields: plain values, JSON in and out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Any


class Verdict(StrEnum):
    """The closed vocabulary of outcomes. A platform fault is deliberately not among them."""

    ACCEPTED = "accepted"
    WRONG_ANSWER = "wrong_answer"
    RUNTIME_ERROR = "runtime_error"
    TIME_LIMIT = "time_limit"
    MEMORY_LIMIT = "memory_limit"
    OUTPUT_LIMIT = "output_limit"
    INVALID_SUBMISSION = "invalid_submission"


class Outcome(StrEnum):
    """How one test ended. `NOT_RUN`: the submission's budget was spent, or it could not be loaded."""

    PASSED = "passed"
    WRONG_ANSWER = "wrong_answer"
    RUNTIME_ERROR = "runtime_error"
    TIME_LIMIT = "time_limit"
    MEMORY_LIMIT = "memory_limit"
    OUTPUT_LIMIT = "output_limit"
    INVALID_SUBMISSION = "invalid_submission"
    NOT_RUN = "not_run"


class MalformedReport(ValueError):
    """The text is not a report: a missing field, a wrong kind, an unknown verdict."""


@dataclass(frozen=True, slots=True)
class TestReport:
    """One test of an exercise. `seconds` is the learner's own CPU time in it."""

    __test__ = False  # not a test class, whatever its name says

    name: str
    title: str
    sample: bool
    points: int
    outcome: Outcome
    message: str = ""
    seconds: float = 0.0
    stdout: str = ""
    stderr: str = ""
    details: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> TestReport:
        """Raise `MalformedReport` unless every field is there and of its kind."""
        try:
            return cls(
                name=_text(data["name"]),
                title=_text(data["title"]),
                sample=_kind(data["sample"], bool),
                points=_kind(data["points"], int),
                outcome=Outcome(data["outcome"]),
                message=_text(data["message"]),
                seconds=float(_kind(data["seconds"], (int, float))),
                stdout=_text(data.get("stdout", "")),
                stderr=_text(data.get("stderr", "")),
                details=_kind(data["details"], dict),
            )
        except (KeyError, ValueError, TypeError) as error:
            raise MalformedReport(f"not a test report: {error}") from None


@dataclass(frozen=True, slots=True)
class MistakeFound:
    """A known mistake that the submission makes.

    `fault` and `fix` are its author's words, `evidence` the sentence that says by what it was recognised. `whole`: it
    explains all that is wrong. Old reports have the whole hint as `fault`.
    """

    slug: str
    fault: str
    fix: str = ""
    evidence: str = ""
    whole: bool = True

    @property
    def hint(self) -> str:
        return f"{self.fault}\n\n{self.fix}" if self.fix else self.fault

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> MistakeFound:
        if "hint" in data:
            return cls(_text(data["slug"]), _text(data["hint"]))
        texts = {name: _text(data[name]) for name in ("slug", "fault", "fix", "evidence")}
        return cls(**texts, whole=_kind(data["whole"], bool))


@dataclass(frozen=True, slots=True)
class Seconds:
    """Wall seconds: `start` until the first test could begin, `run` of the tests, `total` of the judging."""

    start: float
    run: float
    total: float


@dataclass(frozen=True, slots=True)
class Report:
    """The judgement of one submission. Times aside, equal inputs give equal reports."""

    exercise: str
    digest: str
    verdict: Verdict
    message: str
    score: int
    max_score: int
    tests: tuple[TestReport, ...]
    mistakes: tuple[MistakeFound, ...]
    seed: int
    seconds: Seconds
    sandbox_level: str
    versions: Mapping[str, str] = field(default_factory=dict)

    @property
    def accepted(self) -> bool:
        return self.verdict is Verdict.ACCEPTED

    @property
    def mistake(self) -> MistakeFound | None:
        """The one that explains most."""
        return self.mistakes[0] if self.mistakes else None

    @property
    def stdout(self) -> str:
        """All that was printed, test after test."""
        return "".join(test.stdout for test in self.tests)

    @property
    def stderr(self) -> str:
        return "".join(test.stderr for test in self.tests)

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Report:
        """Inverse of `to_json`; raise `MalformedReport` on anything else. Old reports are read, too."""
        try:
            mistakes, seconds = _mistakes(data), data["seconds"]
            return cls(
                exercise=_text(data["exercise"]),
                digest=_text(data["digest"]),
                verdict=Verdict(data["verdict"]),
                message=_text(data["message"]),
                score=_kind(data["score"], int),
                max_score=_kind(data["max_score"], int),
                tests=tuple(TestReport.from_json(test) for test in data["tests"]),
                mistakes=tuple(map(MistakeFound.from_json, mistakes)),
                seed=_kind(data["seed"], int),
                seconds=Seconds(**{key: float(seconds[key]) for key in ("start", "run", "total")}),
                sandbox_level=_text(data["sandbox_level"]),
                versions=dict(data["versions"]),
            )
        except (KeyError, ValueError, TypeError) as error:
            raise MalformedReport(f"not a report: {error}") from None


def _mistakes(data: Mapping[str, Any]) -> list[Any]:
    """Old reports have at most one, under another name."""
    if "mistakes" in data:
        return list(_kind(data["mistakes"], (list, tuple)))
    return [] if data["mistake"] is None else [data["mistake"]]


def _kind(value: Any, kinds: type | tuple[type, ...]) -> Any:
    if not isinstance(value, kinds) or (isinstance(value, bool) and kinds is not bool):
        raise TypeError(f"a {type(value).__name__} is not a {kinds}")
    return value


def _text(value: Any) -> str:
    text: str = _kind(value, str)
    return text
