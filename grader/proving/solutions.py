"""Whole programs whose verdict is known: the reference, the starter, an empty answer, the mistakes."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from statistics import median

from exercises.package import Package
from grader.judge import judge
from grader.report import Outcome, Report, Verdict
from grader.sandbox import Sandbox
from grader.trials import Broken, Trial, try_all

WELL_INSIDE = 4
"""A test may take the reference this part of its limit: others write slower, and machines are slower."""

NOT_NAMED = ""

# Appended to the reference: what it gives and takes is of one width, as with a learner who computes in that width.
_CAST = """

def _in_{dtype}(function):
    import numpy
    import torch

    def cast(value):
        if isinstance(value, (list, tuple)):
            return type(value)(map(cast, value))
        if isinstance(value, torch.Tensor):
            return value.to(torch.{dtype}) if value.is_floating_point() else value
        if isinstance(value, (numpy.ndarray, numpy.floating)) and value.dtype.kind == "f":
            return value.astype(numpy.{dtype})
        return value

    return lambda *args, **kwargs: cast(function(*map(cast, args), **{{name: cast(v) for name, v in kwargs.items()}}))

"""


@dataclass(frozen=True, slots=True)
class ReferenceFindings:
    """`seconds` is the median CPU time of the test that takes longest, which is `slowest`."""

    problems: list[str]
    slowest: str = ""
    seconds: float = 0.0


def examine_reference(package: Package, sandbox: Sandbox, seeds: tuple[int, ...]) -> ReferenceFindings:
    """Accepted as a submission, under every seed, and in every dtype that the statement allows; and quick."""
    report = judge(package, package.reference, seed=seeds[0], sandbox=sandbox)
    if not report.accepted:
        return ReferenceFindings([f"The reference is not accepted: {told(report)} Correct reference.py or the test."])
    if report.max_score == 0:
        return ReferenceFindings(["No test gives points. Mark tests with @points, or leave out @points(0)."])
    reports = try_all(package, [Trial(package.reference, seed) for seed in seeds], sandbox)
    problems = [*_rejections("The reference", reports), *_dtype_problems(package, sandbox, seeds)]
    problems += [f"{test.name}: {told}" for test in report.tests for told in test.details.get("exhibit_problems", ())]
    times = {
        test.name: median(one.tests[index].seconds for one in reports if isinstance(one, Report))
        for index, test in enumerate(report.tests)
    }
    slowest = max(times, key=lambda name: times[name])
    return ReferenceFindings([*problems, *_time_problems(package, times)], slowest, round(times[slowest], 4))


def examine_wrong(package: Package, sandbox: Sandbox, seed: int) -> list[str]:
    """The starter runs and fails; an answer that only has the right names fails."""
    starter, empty = try_all(package, [Trial(package.starter, seed), Trial(empty_answer(package), seed)], sandbox)
    problems = []
    if isinstance(starter, Broken):
        problems.append(f"The starter makes grading itself fail: {starter.why}. Correct the tests.")
    elif starter.accepted:
        problems.append("The starter is accepted. Remove the solution from starter.py, or test more.")
    elif starter.verdict is Verdict.INVALID_SUBMISSION:
        problems.append(f"The starter cannot be submitted as it is: {told(starter)} A learner must be able to run it.")
    if isinstance(empty, Broken):
        problems.append(f"An empty answer makes grading itself fail: {empty.why}. Correct the tests.")
    elif empty.accepted:
        problems.append("An answer that computes nothing is accepted. Test more.")
    return problems


@dataclass(frozen=True, slots=True)
class MistakeFindings:
    """`caught` are rejected and named as themselves under every seed; `problems` tell what is wrong with the others.

    `confusion` counts, by mistake, under how many seeds it was given which mistake's name; `NOT_NAMED` if none.
    """

    caught: int
    confusion: dict[str, dict[str, int]]
    problems: list[str]


def examine_mistakes(package: Package, sandbox: Sandbox, seeds: tuple[int, ...], *, spellings: bool) -> MistakeFindings:
    """Submit every known mistake under every seed, in all its spellings or the first, and ask what it is taken for."""
    tried = [
        (mistake.slug, *one)
        for mistake in package.mistakes
        for one in mistake.spellings.items()
        if spellings or one[0] == mistake.slug
    ]
    trials = [Trial(source, seed, diagnose=True) for _, _, source in tried for seed in seeds]
    reports = iter(try_all(package, trials, sandbox))
    confusion: dict[str, Counter[str]] = {mistake.slug: Counter() for mistake in package.mistakes}
    problems: dict[str, str] = {}
    for slug, name, _ in tried:
        for seed, report in zip(seeds, reports, strict=False):
            confusion[slug][_name_given(report)] += 1
            if problem := _mistake_problem(slug, name, report, seed):
                problems.setdefault(name, problem)
    caught = len({slug for slug, _, _ in tried} - {slug for slug, name, _ in tried if name in problems})
    return MistakeFindings(caught, {slug: dict(counts) for slug, counts in confusion.items()}, list(problems.values()))


def empty_answer(package: Package) -> str:
    """Every entry by its name, and nothing in it."""
    lines = {"function": "def {signature}:\n    pass\n", "class": "class {name}:\n    pass\n"}
    return "".join(
        lines[entry.kind].format(name=entry.name, signature=entry.signature) for entry in package.spec.entries
    )


def told(report: Report) -> str:
    """The verdict's sentence, and that of the first test that failed."""
    failed = [test for test in report.tests if test.outcome is not Outcome.PASSED]
    detail = f" {failed[0].name}: {failed[0].message}" if failed else ""
    return f"{report.message}{detail}"


def _rejections(what: str, reports: list[Report | Broken]) -> list[str]:
    for report in reports:
        if isinstance(report, Broken):
            return [f"{what} makes grading itself fail: {report.why}. Correct the tests."]
        if not report.accepted:
            return [f"{what} is not accepted under seed {report.seed}: {told(report)} Correct it, or the test."]
    return []


def _dtype_problems(package: Package, sandbox: Sandbox, seeds: tuple[int, ...]) -> list[str]:
    problems = []
    for dtype in package.spec.dtypes:
        names = "".join(f"{entry.name} = _in_{dtype}({entry.name})\n" for entry in package.spec.entries)
        source = package.reference + _CAST.format(dtype=dtype) + names
        problems += _rejections(
            f"The reference, computing in {dtype}", try_all(package, [Trial(source, seed) for seed in seeds], sandbox)
        )
    return problems


def _time_problems(package: Package, times: dict[str, float]) -> list[str]:
    limits = package.spec.limits
    problems = [
        f"{name} takes the reference {seconds:.2f} s of {limits.cpu_seconds:g} s. "
        "Make it smaller, or raise cpu_seconds."
        for name, seconds in times.items()
        if seconds * WELL_INSIDE > limits.cpu_seconds
    ]
    total = sum(times.values())
    if total * WELL_INSIDE > limits.total_cpu_seconds:
        problems.append(
            f"All tests take the reference {total:.2f} s of {limits.total_cpu_seconds:g} s. "
            "Make them smaller, or raise total_cpu_seconds."
        )
    return problems


def _name_given(report: Report | Broken) -> str:
    return report.mistake.slug if isinstance(report, Report) and report.mistake else NOT_NAMED


def _mistake_problem(slug: str, name: str, report: Report | Broken, seed: int) -> str:
    """Of the spelling `name` of the mistake `slug`."""
    if isinstance(report, Broken):
        return f"The mistake {name} makes grading itself fail: {report.why}. Correct the tests."
    if report.accepted:
        return f"The mistake {name} is accepted (seed {seed}). Add a test that catches it."
    if report.verdict is Verdict.INVALID_SUBMISSION:
        return f"The mistake {name} cannot be submitted: {told(report)} Make it run."
    if report.mistake is None:
        return f"The mistake {name} is rejected but not named (seed {seed}). Make a test tell it apart."
    others = [one.slug for one in report.mistakes if one.slug != slug]
    if others:
        return f"The mistake {name} is named {', '.join(others)} (seed {seed}). Make a test tell them apart."
    return ""
