"""The full proofs that ship with this installation: a first start believes them and need not prove for itself.

They stand in one file beside the packages and never inside one: what comes from elsewhere cannot vouch for itself.
`manage.py verify_exercises --write-record` makes it anew; CI proves everything and compares.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

from django.conf import settings

from exercises.judging import engine_digest
from exercises.package import Package
from grader.proving import FULL

RECORD: Path = settings.BASE_DIR / "exercises" / "proofs.json"
FACTS = ("digest", "mistakes", "mutants", "killed", "equivalent", "mutation_score", "public")
"""What a second proof of the same files finds again, on any machine: no times, and no versions."""


class BadRecord(ValueError):
    """The file is none of ours; the message says what to do."""


@dataclass(frozen=True, slots=True)
class ProofRecord:
    """`exercises` has what was found, by slug; `engine` is the digest of the code that found it.

    On which interpreter and libraries it was found is stated beside, and compared with nothing.
    """

    engine: str = ""
    exercises: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    @classmethod
    def read(cls) -> Self:
        """What is committed; nothing if nothing is. Raise `BadRecord` for a file that cannot be understood."""
        try:
            facts = json.loads(RECORD.read_text("utf-8"))
            return cls(str(facts["engine"]), dict(facts["exercises"]))
        except FileNotFoundError:
            return cls()
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise BadRecord(
                f"{RECORD.name} cannot be read ({error}). Restore it, or make it anew with "
                "`manage.py verify_exercises --write-record`."
            ) from None

    @classmethod
    def of(cls, reports: Iterable[Mapping[str, Any]]) -> Self:
        """The record of these full proofs, all of which hold."""
        reports = list(reports)
        assert all(report["ok"] and report["extent"] == FULL.name for report in reports)
        kept = (*FACTS, "made_with")
        exercises = {report["slug"]: {name: _plain(report[name]) for name in kept} for report in reports}
        return cls(engine_digest(), dict(sorted(exercises.items())))

    def write(self) -> None:
        facts = {"engine": self.engine, "exercises": self.exercises}
        RECORD.write_text(json.dumps(facts, indent=1, ensure_ascii=False) + "\n", "utf-8")

    def recall(self, package: Package) -> dict[str, Any] | None:
        """The report on this very package, if today's engine proved it."""
        found = self.exercises.get(package.slug)
        if self.engine != engine_digest() or found is None or found["digest"] != package.digest:
            return None
        return {"slug": package.slug, "ok": True, "extent": FULL.name, "problems": [], "shipped": True, **found}

    def differences(self, found: ProofRecord) -> list[str]:
        """What `found`, just made, says otherwise; sentences."""
        told = []
        if self.engine != found.engine:
            told.append("It was made by an earlier engine.")
        for slug in sorted({*self.exercises, *found.exercises}):
            ours, theirs = self.exercises.get(slug), found.exercises.get(slug)
            if ours is None or theirs is None:
                told.append(f"{slug}: {'is missing' if ours is None else 'is no exercise that was proven now'}.")
            else:
                told += [f"{slug}: {name} is {theirs.get(name)!r}, and the record says {ours.get(name)!r}."
                         for name in FACTS if ours.get(name) != theirs.get(name)]  # fmt: skip
        return told


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value
