"""Judge one submission of one exercise in a sandbox. Pure: no database, no queue, no clock but a stopwatch."""

from __future__ import annotations

import base64
import json
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from types import MappingProxyType
from typing import Any

from exercises.package import Package
from exercises.visible import clean
from grader import strict, wording
from grader.checker.job import (
    COMPARING_FACTOR,
    DIAGNOSIS_SECONDS,
    EXHIBIT_SECONDS,
    LOADING_FACTOR,
    MOST_MISTAKES,
    WALL_FACTOR,
    WHOLE_BYTES,
    Findings,
    Job,
    Named,
    decode_mistakes,
)
from grader.prints import with_prints
from grader.report import MalformedReport, MistakeFound, Outcome, Report, Seconds, TestReport, Verdict
from grader.sandbox import JobResult, Order, PlatformFault, Sandbox, SandboxUnavailable
from grader.sandbox.cpu import cpu_class
from grader.source import BadSource, check_source

__all__ = [
    "PlatformFault",
    "SandboxUnavailable",
    "judge",
    "make_job",
    "make_order",
    "make_report",
    "worst_wall_seconds",
]

OnProgress = Callable[[TestReport, int], None]
OnVerdict = Callable[[Report], None]

_PROGRESS_BYTES = 16 << 10
_MOST_TESTS = 10_000
_MOST_POINTS = 1_000  # as many as `points` allows
_HINT_CAP = 4_000
_START_SECONDS = 10.0
_BUSY_FACTOR = 2.0  # the checker is charged processor time, and waits for it on a busy machine


def judge(
    package: Package,
    source: bytes | str,
    *,
    seed: int,
    sandbox: Sandbox,
    sample_only: bool = False,
    on_progress: OnProgress | None = None,
    on_verdict: OnVerdict = lambda report: None,
) -> Report:
    """The report on `source`. Raises `PlatformFault` (try again), `Cancelled` or `SandboxUnavailable` (not here).

    `on_verdict` is called with the report as soon as it is final but for mistakes that are still looked for; not at all
    if none are.
    """
    started = time.monotonic()
    try:
        job = make_job(package, check_source(source), seed, sample_only=sample_only)
    except BadSource as error:
        job = replace(make_job(package, "", seed, sample_only=sample_only), unusable=str(error))
    reports: list[Report] = []

    def reported(result: JobResult) -> bool:
        findings = _findings(result)
        seconds = Seconds(result.start_seconds, float(findings.seconds), time.monotonic() - started)
        reports.append(make_report(package, findings, seed, sandbox, seconds=seconds, output=result.output))
        if findings.diagnosing:
            on_verdict(reports[0])
        return findings.diagnosing

    order = make_order(package)
    result = sandbox.run(job.encode(), order, _forward(on_progress), report_cap=WHOLE_BYTES, on_report=reported)
    return replace(reports[0], mistakes=_mistakes(package, result.afterword))


def worst_wall_seconds(package: Package) -> float:
    """No judgement takes longer than this, whatever the submission does."""
    tests, rest = package.spec.limits.total_cpu_seconds, DIAGNOSIS_SECONDS + EXHIBIT_SECONDS
    # What is exhibited is loaded once more.
    learners, checker = (1 + 2 * LOADING_FACTOR) * tests + rest, COMPARING_FACTOR * tests + rest
    return WALL_FACTOR * learners + _BUSY_FACTOR * checker + _START_SECONDS


def make_job(package: Package, source: str, seed: int, *, sample_only: bool = False) -> Job:
    """Everything the checker needs to judge `source`."""
    spec = package.spec
    return Job(
        source=source,
        tests=package.tests,
        reference=package.reference,
        support=package.support,
        assets={path: base64.b64encode(data).decode() for path, data in package.assets.items()},
        mistakes={mistake.slug: list(mistake.spellings.values()) for mistake in package.mistakes},
        entries=[{"name": entry.name, "kind": entry.kind, "signature": entry.signature} for entry in spec.entries],
        forbidden=list(spec.forbidden),
        rtol=spec.rtol,
        atol=spec.atol,
        cpu_seconds=spec.limits.cpu_seconds,
        total_cpu_seconds=spec.limits.total_cpu_seconds,
        memory_mb=spec.limits.memory_mb,
        output_kb=spec.limits.output_kb,
        reply_mb=spec.limits.reply_mb,
        seed=seed,
        sample_only=sample_only,
    )


def make_order(package: Package) -> Order:
    """What the sandbox must grant one judgement."""
    limits = package.spec.limits
    return Order(
        memory_mb=limits.memory_mb,
        output_bytes=limits.output_kb << 10,
        reply_bytes=int(limits.reply_mb * (1 << 20)),
        # The checker enforces the limit exactly, from outside; the kernel's own, in whole seconds, stands behind it.
        cpu_seconds=int((1 + LOADING_FACTOR) * limits.total_cpu_seconds) + 2,
        wall_seconds=worst_wall_seconds(package),
    )


def _forward(on_progress: OnProgress | None) -> Callable[[bytes], None] | None:
    if on_progress is None:
        return None

    told = 0

    def forward(data: bytes) -> None:
        nonlocal told
        told += 1
        try:
            facts = strict.decode(data, _PROGRESS_BYTES)
            test, total = TestReport.from_json(facts["test"]), int(facts["total"])
        except (ValueError, TypeError, KeyError) as error:
            raise _unreadable(error) from None
        if told > _MOST_TESTS:
            raise PlatformFault("The checker tells of more tests than an exercise can have.")
        on_progress(test, total)

    return forward


def _findings(result: JobResult) -> Findings:
    try:
        return Findings.decode(result.report)
    except (ValueError, TypeError) as error:
        raise _unreadable(error) from None


def _unreadable(error: Exception) -> PlatformFault:
    return PlatformFault(f"The checker's report cannot be read ({clean(str(error), 300)}).")


def make_report(
    package: Package,
    findings: Findings,
    seed: int,
    sandbox: Sandbox,
    *,
    seconds: Seconds,
    output: Mapping[tuple[str, str], bytes] = MappingProxyType({}),
) -> Report:
    """The report that the checker's findings make; `output` is what learners printed, by number of test and stream."""
    if findings.unconfined:
        raise SandboxUnavailable(f"Nothing is graded here: {findings.fault}. Run `manage.py doctor`.")
    if findings.fault:
        raise PlatformFault(f"{package.slug}: {findings.fault}")
    try:
        tests = tuple(_test(facts) for facts in findings.tests)
    except MalformedReport as error:
        raise _unreadable(error) from None
    verdict = _verdict(tests)
    failed = next((test for test in tests if test.outcome is not Outcome.PASSED), None)
    report = Report(
        exercise=package.slug,
        digest=package.digest,
        verdict=verdict,
        message=findings.invalid or wording.sentence(verdict, failed.title if failed else ""),
        score=sum(test.points for test in tests if test.outcome is Outcome.PASSED),
        max_score=sum(test.points for test in tests),
        tests=tests,
        mistakes=_found(package, findings.mistakes),
        seed=seed,
        seconds=seconds,
        sandbox_level=sandbox.level,
        versions={**sandbox.versions, "cpu": cpu_class()},
    )
    spare = _most_bytes_of_mistakes(package) if findings.diagnosing else 0
    return replace(report, tests=with_prints(report, output, spare)) if output else report


def _test(facts: dict[str, Any]) -> TestReport:
    test = TestReport.from_json(facts)
    if not 0 <= test.points <= _MOST_POINTS:
        raise MalformedReport(f"{test.points} points for one test")
    return test


def _mistakes(package: Package, afterword: bytes) -> tuple[MistakeFound, ...]:
    try:
        return _found(package, decode_mistakes(afterword)) if afterword else ()
    except ValueError:
        return ()  # the verdict is told already, and stands


def _most_bytes_of_mistakes(package: Package) -> int:
    """What the mistakes that are still looked for may add to a row, as JSON."""
    each = (_found(package, [Named(one.slug, "x" * _HINT_CAP, whole=True)]) for one in package.mistakes)
    return MOST_MISTAKES * max(len(json.dumps(asdict(one))) for (one,) in each)


def _found(package: Package, named: Sequence[Named]) -> tuple[MistakeFound, ...]:
    known = {mistake.slug: mistake for mistake in package.mistakes}
    return tuple(
        MistakeFound(
            slug=one.slug,
            fault=clean(known[one.slug].fault, _HINT_CAP),
            fix=clean(known[one.slug].fix, _HINT_CAP),
            evidence=one.evidence,
            whole=one.whole,
        )
        for one in named
        if one.slug in known
    )


def _verdict(tests: tuple[TestReport, ...]) -> Verdict:
    """The first test that did not pass decides; no tests at all is our fault, not an acceptance."""
    if not tests:
        raise PlatformFault("The exercise has no test to run.")
    failed = next((test for test in tests if test.outcome is not Outcome.PASSED), None)
    if failed is None:
        return Verdict.ACCEPTED
    # The last moment of the budget can be spent in a test that passes.
    return Verdict.TIME_LIMIT if failed.outcome is Outcome.NOT_RUN else Verdict(failed.outcome)
