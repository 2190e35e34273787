"""A proof, told to people."""

from __future__ import annotations

from collections.abc import Iterator

from grader.proving import ProofReport


def table(report: ProofReport) -> str:
    """One line, and below it what is wrong, what survives, and which mutants are called a mistake."""
    verdict = "ok " if report.ok else "BAD"
    return "\n".join([f"{verdict}  {report.slug:<30} {_counts(report)}", *(f"     {line}" for line in _lines(report))])


def not_read(slug: str, problems: tuple[str, ...]) -> ProofReport:
    """The report on an exercise that cannot even be read."""
    return ProofReport(slug=slug, digest="", mistakes=0, problems=problems, seeds=())


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
    for survivor in report.mutation.survivors:
        yield f"survives  {survivor}"
    for slug, counts in sorted(report.mutation.named.items()):
        others = f", and {counts['other']} that are not" if counts["other"] else ""
        yield f"named     {slug}: {counts['same']} mutants that make this very mistake{others}"
