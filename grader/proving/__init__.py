"""Proof that an exercise's tests are good: they accept what is right, and nothing that is known to be wrong.

Everything runs in the sandbox. Raises what `judge` raises: a platform fault proves nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from exercises.package import Package
from grader.proving.example import example_problems
from grader.proving.leaks import NO_LEAKS, examine_leaks
from grader.proving.mutants import NO_MUTANTS, MutantFindings, examine_mutants
from grader.proving.solutions import examine_mistakes, examine_reference, examine_wrong
from grader.sandbox import Sandbox

__all__ = ["FAST", "FULL", "Extent", "ProofReport", "prove"]


@dataclass(frozen=True, slots=True)
class Extent:
    """How much is tried: seeds for the reference, seeds for every mistake, whether in all its spellings, and whether
    mutants are made at all. Proofs are stored under its name."""

    name: str
    seeds: tuple[int, ...]
    mistake_seeds: tuple[int, ...]
    spellings: bool
    mutants: bool


FAST = Extent("fast", seeds=(0, 1), mistake_seeds=(0,), spellings=False, mutants=False)
FULL = Extent("full", seeds=tuple(range(20)), mistake_seeds=(0, 1, 2), spellings=True, mutants=True)


@dataclass(frozen=True, slots=True)
class ProofReport:
    """What was found. `mistakes` counts the known mistakes that were rejected and named as themselves, every time.

    `slowest` is the test that takes the reference longest, `seconds` its CPU time. `confusion` counts, by mistake,
    under how many seeds it was given which mistake's name ("" for none). `public` tells which tests compare with what
    learners had been sent, and why they may. `made_with` are the versions of what it ran on.
    """

    slug: str
    digest: str
    mistakes: int
    problems: tuple[str, ...]
    seeds: tuple[int, ...]
    extent: str
    slowest: str = ""
    seconds: float = 0.0
    mutation: MutantFindings = field(default=NO_MUTANTS)
    confusion: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    public: tuple[str, ...] = ()
    made_with: Mapping[str, str] = field(default_factory=dict)

    @property
    def ok(self) -> bool:
        return not self.problems

    def to_json(self) -> dict[str, Any]:
        facts = asdict(self)
        mutation = facts.pop("mutation")
        return {
            "slug": self.slug,
            "ok": self.ok,
            **mutation,
            "mutation_score": self.mutation.score,
            "mistakes": self.mistakes,
            **facts,
        }


def prove(package: Package, sandbox: Sandbox, *, extent: Extent = FULL) -> ProofReport:
    """Try the reference, the starter, an empty answer, every mistake, and every mutant of the reference."""
    reference = examine_reference(package, sandbox, extent.seeds)
    problems, leaks = list(reference.problems), NO_LEAKS
    if not problems:
        leaks = examine_leaks(package, sandbox, extent.seeds)
        problems += [*example_problems(package, sandbox), *leaks.problems]
    problems += examine_wrong(package, sandbox, extent.mistake_seeds[0])
    mistakes = examine_mistakes(package, sandbox, extent.mistake_seeds, spellings=extent.spellings)
    problems += mistakes.problems
    mutation = NO_MUTANTS
    # Tests that reject the reference reject every mutant: nothing would be learnt.
    if extent.mutants and not reference.problems:
        mutation, mutant_problems = examine_mutants(package, sandbox)
        problems += mutant_problems
    return ProofReport(
        slug=package.slug,
        digest=package.digest,
        mistakes=mistakes.caught,
        problems=tuple(problems),
        seeds=extent.seeds,
        extent=extent.name,
        slowest=reference.slowest,
        seconds=reference.seconds,
        mutation=mutation,
        confusion=mistakes.confusion,
        public=leaks.public,
        made_with=dict(sandbox.versions),
    )
