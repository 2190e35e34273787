"""Do the tests notice every small slip in the reference? And is none of these slips called a mistake that it is not?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from exercises.mutation import Mutant, behind_conditions, mutants
from exercises.package import Package
from grader.report import Outcome, Report
from grader.sandbox import Sandbox
from grader.trials import Agreement, Broken, Comparison, Trial, agreements, try_all

SEEDS = (0, 1)
"""A mutant is rejected only if it is under each of these: no test may depend on luck."""
MOST_EQUIVALENT = 0.10
CALLS = 1_000
"""So many different calls must a measured equivalent answer like the reference."""
EXACTLY = 1e-12
_COMPARED_SEEDS = list(range(400))
_NAMED_SEEDS = list(range(5))
_ROUNDING = (1e-4, 1e-6)


@dataclass(frozen=True, slots=True)
class MutantFindings:
    """How many there are, are rejected, are recorded as right answers; and those that are neither, described.

    `named` counts, by mistake, the mutants that are called it: "same" if they are it, "other" if they are not.
    """

    mutants: int = 0
    killed: int = 0
    equivalent: int = 0
    survivors: tuple[str, ...] = ()
    named: Mapping[str, Mapping[str, int]] = field(default_factory=dict)

    @property
    def score(self) -> float | None:
        """Rejected ones among those that are wrong; None if there is no such mutant."""
        wrong = self.mutants - self.equivalent
        return round(self.killed / wrong, 4) if wrong else None


NO_MUTANTS = MutantFindings()


def examine_mutants(package: Package, sandbox: Sandbox) -> tuple[MutantFindings, list[str]]:
    """Judge every mutant; compare the recorded equivalents with the reference, and the named ones with the mistakes."""
    made = [*mutants(package.reference), *_behind_conditions(package, sandbox)]
    first, again = (
        dict(zip((mutant.id for mutant in made), _tried(package, made, sandbox, seed), strict=True)) for seed in SEEDS
    )
    problems = [
        f"{_described(mutant)}: makes grading itself fail ({found.why}), so a learner's code can. Correct the tests."
        for mutant in made
        if isinstance(found := first[mutant.id], Broken)
    ]
    accepted = [mutant for mutant in made if _accepted(first[mutant.id]) or _accepted(again[mutant.id])]
    recorded = [one for one in package.equivalents if not one.never]
    never = [mutant for mutant in accepted if any(one.never and one.covers(mutant.id) for one in package.equivalents)]
    accepted = [mutant for mutant in accepted if mutant not in never]
    survivors = [mutant for mutant in accepted if not any(one.covers(mutant.id) for one in recorded)]
    named, named_problems = _named(package, made, (first, again), sandbox)
    findings = MutantFindings(
        mutants=len(made) - len(never),
        killed=len(made) - len(never) - len(accepted),
        equivalent=len(accepted) - len(survivors),
        survivors=tuple(_described(mutant) for mutant in survivors),
        named=named,
    )
    problems += named_problems + _equivalence_problems(package, made, accepted, sandbox) + _survival_problems(findings)
    problems += _never_problems(package, never)
    return findings, problems


def _behind_conditions(package: Package, sandbox: Sandbox) -> list[Mutant]:
    """Those whose conditions concern what tests ask at all."""
    made = behind_conditions(package.reference, [entry.name for entry in package.spec.entries])
    gates = list(dict.fromkeys(gate for _, gate in made))
    tried = try_all(package, [Trial(gate, SEEDS[0], stop_early=True) for gate in gates], sandbox)
    closed = {gate for gate, found in zip(gates, tried, strict=True) if _accepted(found)}
    return [mutant for mutant, gate in made if gate not in closed]


def _tried(package: Package, made: list[Mutant], sandbox: Sandbox, seed: int) -> list[Report | Broken]:
    trials = [Trial(mutant.source, seed, diagnose=True, stop_early=True) for mutant in made]
    return try_all(package, trials, sandbox)


def _accepted(found: Report | Broken) -> bool:
    return isinstance(found, Report) and all(test.outcome is Outcome.PASSED for test in found.tests)


def _described(mutant: Mutant) -> str:
    return f"{mutant.id}: {mutant.description}"


def _survival_problems(findings: MutantFindings) -> list[str]:
    problems = [
        f"{survivor}: is accepted. Test what it does wrong; or, if it is right, record it in equivalents.toml."
        for survivor in findings.survivors
    ]
    if findings.equivalent > MOST_EQUIVALENT * findings.mutants:
        problems.append(
            f"{findings.equivalent} of {findings.mutants} mutants are recorded as equivalent; at most "
            f"{MOST_EQUIVALENT:.0%} may be. Write the reference so that less of it does nothing."
        )
    return problems


def _never_problems(package: Package, never: list[Mutant]) -> list[str]:
    return [
        f"equivalents.toml says that {one.mutant} never comes, but tests reject what is wrong there alone. Remove it."
        for one in package.equivalents
        if one.never and not any(one.covers(mutant.id) for mutant in never)
    ]


def _equivalence_problems(package: Package, made: list[Mutant], accepted: list[Mutant], sandbox: Sandbox) -> list[str]:
    sources = {mutant.id: mutant.source for mutant in made}
    kept = {mutant.id for mutant in accepted}
    problems, measured = [], []
    for one in (one for one in package.equivalents if not one.never):
        if one.mutant not in sources:
            problems.append(
                f"equivalents.toml records {one.mutant}, and there is no such mutant. Remove or correct it."
            )
        elif one.mutant not in kept:
            problems.append(f"equivalents.toml records {one.mutant}, but the tests reject it. Remove it.")
        elif not one.proved:
            measured.append(one.mutant)
    if measured:
        others = [sources[mutant] for mutant in measured]
        comparison = Comparison(package.reference, others, _COMPARED_SEEDS, CALLS, EXACTLY, EXACTLY)
        found = agreements(package, comparison, sandbox)
        problems += [problem for pair in zip(measured, found, strict=True) if (problem := _agreement_problem(*pair))]
    return problems


def _agreement_problem(mutant: str, found: Agreement) -> str:
    if not found.alike:
        return (
            f"equivalents.toml records {mutant}, but after {found.calls} calls {found.test} gives another result. "
            "Test that it is wrong; or, if it is right, move it to [proved]."
        )
    if found.calls < CALLS:
        return (
            f"equivalents.toml records {mutant}, compared on only {found.calls} different calls; {CALLS} are asked "
            "for. Let more tests take their inputs from rng, or prove it and move it to [proved]."
        )
    return ""


def _named(
    package: Package, made: list[Mutant], tried: Sequence[Mapping[str, Report | Broken]], sandbox: Sandbox
) -> tuple[dict[str, dict[str, int]], list[str]]:
    """Every mutant that is called a mistake must answer as that mistake does, whatever the tests ask."""
    mistakes = {mistake.slug: list(mistake.spellings.values()) for mistake in package.mistakes}
    table: dict[str, dict[str, int]] = {}
    problems = []
    reports = [(mutant, found[mutant.id]) for mutant in made for found in tried]
    named = [(mutant, mistake) for mutant, one in reports if isinstance(one, Report) for mistake in one.mistakes]
    names = [(mutant, mistake.slug) for mutant, mistake in named if mistake.whole]
    for mutant, slug in dict.fromkeys(names):
        comparison = Comparison(mutant.source, mistakes[slug], _NAMED_SEEDS, CALLS, *_ROUNDING)
        found_alike = agreements(package, comparison, sandbox)
        agreement = next((one for one in found_alike if one.alike), found_alike[0])
        counts = table.setdefault(slug, {"same": 0, "other": 0})
        counts["same" if agreement.alike else "other"] += 1
        if not agreement.alike:
            problems.append(
                f"{_described(mutant)}: is called the mistake {slug}, which answers {agreement.test} otherwise. "
                "Make a test that both fail tell them apart."
            )
    return table, problems
