"""A proof, told to people."""

from __future__ import annotations

from collections.abc import Iterator

from grader.proving import ProofReport
from grader.proving.solutions import NOT_NAMED


def table(report: ProofReport) -> str:
    """One line, and below it what is wrong and, with mutants, what is taken for which mistake."""
    verdict = "ok " if report.ok else "BAD"
    return "\n".join([f"{verdict}  {report.slug:<30} {_counts(report)}", *(f"     {line}" for line in _lines(report))])


def not_read(slug: str, problems: tuple[str, ...]) -> ProofReport:
    """The report on an exercise that cannot even be read."""
    return ProofReport(slug=slug, digest="", mistakes=0, problems=problems, seeds=(), extent="")


def _counts(report: ProofReport) -> str:
    told = [f"{report.mistakes} known mistakes caught and named"]
    mutation = report.mutation
    if mutation.score is not None:
        told.append(f"{mutation.killed} of {mutation.mutants} mutants rejected, {mutation.equivalent} equivalent")
        told.append(f"score {mutation.score:.1%}")
    if report.slowest:
        told.append(f"slowest test {report.seconds * 1000:.0f} ms")
    return "; ".join(told)


def _lines(report: ProofReport) -> Iterator[str]:
    yield from report.problems
    yield from (f"public: {reason}" for reason in report.public)
    if report.mutation.mutants and report.confusion:
        yield from _confusion(report)


def _confusion(report: ProofReport) -> Iterator[str]:
    """A row for each mistake, by seeds, and two for the mutants: which mistake's name they were given."""
    slugs, named = list(report.confusion), report.mutation.named
    mistakes = {f"{number:>2} {slug}": report.confusion[slug] for number, slug in enumerate(slugs, 1)}
    mutants = {
        "   mutants that are it": {slug: counts["same"] for slug, counts in named.items()},
        "   mutants that are not": {slug: counts["other"] for slug, counts in named.items()},
    }
    wide = max(map(len, (*mistakes, *mutants)))
    yield "named as".ljust(wide) + "".join(f"{number:>4}" for number in range(1, len(slugs) + 1)) + "  none"
    for what, counts in (mistakes | mutants).items():
        cells = "".join(f"{counts.get(slug) or '·':>4}" for slug in slugs)
        none = f"{counts.get(NOT_NAMED) or '·':>6}" if what in mistakes else ""
        yield what.ljust(wide) + cells + none
