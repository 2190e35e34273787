from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from exercises.package import Package
from grader import proving
from grader.report import MistakeFound, Outcome, Report, TestReport, Verdict
from grader.sandbox import Sandbox
from tests.grader.small import a_report, make_package

SANDBOX = Sandbox()  # never entered: these tests replace the judge
GOOD = {
    "reference": (Verdict.ACCEPTED, None),
    "starter": (Verdict.WRONG_ANSWER, None),
    "square": (Verdict.WRONG_ANSWER, "square"),
}

Findings = dict[str, tuple[Verdict, str | None]]
Prove = Callable[[Findings], proving.ProofReport]


@pytest.fixture
def prove(monkeypatch: pytest.MonkeyPatch) -> Prove:
    """Prove the small exercise with a judge that finds what it is told to."""

    def proved(findings: Findings) -> proving.ProofReport:
        package = make_package()
        names = {package.reference: "reference", package.starter: "starter", package.mistakes[0].source: "square"}

        def judge(package: Package, source: str, *, seed: int, sandbox: Sandbox) -> Report:
            return found(*{**GOOD, **findings}[names[source]], seed)

        monkeypatch.setattr(proving, "judge", judge)
        return proving.prove(package, SANDBOX)

    return proved


def found(verdict: Verdict, mistake: str | None, seed: int) -> Report:
    test = TestReport("test_three", "Twice three.", sample=True, points=3, outcome=Outcome.PASSED)
    named = None if mistake is None else MistakeFound(mistake, "")
    return replace(a_report(verdict), tests=(test,), mistake=named, seed=seed, message="So it went.")


def test_a_sound_exercise_is_proven_and_its_mistakes_counted(prove: Prove) -> None:
    report = prove({})
    assert report.ok
    assert (report.slug, report.digest, report.mistakes) == ("double", make_package().digest, 1)


@pytest.mark.parametrize(
    ("findings", "problem"),
    [
        ({"reference": (Verdict.WRONG_ANSWER, None)}, "The reference is not accepted: So it went."),
        ({"starter": (Verdict.ACCEPTED, None)}, "The starter is accepted."),
        ({"starter": (Verdict.INVALID_SUBMISSION, None)}, "The starter cannot be submitted"),
        ({"square": (Verdict.ACCEPTED, None)}, "The mistake square is accepted"),
        ({"square": (Verdict.INVALID_SUBMISSION, None)}, "The mistake square cannot be submitted"),
        ({"square": (Verdict.WRONG_ANSWER, None)}, "The mistake square is rejected but not named"),
        ({"square": (Verdict.WRONG_ANSWER, "cube")}, "The mistake square is named cube"),
    ],
)
def test_each_way_of_being_unsound_is_one_problem(prove: Prove, findings: Findings, problem: str) -> None:
    report = prove(findings)
    assert not report.ok
    assert len(report.problems) == 1
    assert report.problems[0].startswith(problem)
    assert report.mistakes == (0 if "square" in findings else 1)


def test_a_mistake_must_be_caught_under_every_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    package = make_package()

    def judge(package: Package, source: str, *, seed: int, sandbox: Sandbox) -> Report:
        lucky = source == package.mistakes[0].source and seed == proving.SEEDS[-1]
        wrong = source != package.reference and not lucky
        return found(Verdict.WRONG_ANSWER if wrong else Verdict.ACCEPTED, "square" if wrong else None, seed)

    monkeypatch.setattr(proving, "judge", judge)
    assert not proving.prove(package, SANDBOX).ok
    assert proving.prove(package, SANDBOX, seeds=proving.FAST_SEEDS).ok


def test_a_proof_is_kept_as_plain_json(prove: Prove) -> None:
    assert prove({}).to_json() == {
        "slug": "double",
        "digest": make_package().digest,
        "ok": True,
        "mistakes": 1,
        "problems": (),
        "seeds": proving.SEEDS,
    }
