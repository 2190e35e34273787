"""A machine is fit to grade when it grades: shown on real sandboxes, some of which cannot do what they seem to."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any

import pytest

from exercises.package import Package
from grader import fitness
from grader.fitness import examine, why_unfit
from grader.judge import judge
from grader.report import Report, Verdict
from grader.sandbox import Cancelled, PlatformFault, Sandbox, SandboxUnavailable

NO_PRIVILEGES = "-all"
NO_KILL = "-all,+setuid,+setgid"


AS_ROOT = pytest.mark.skipif(os.geteuid() != 0, reason="an ordinary user has no privileges that could be dropped")


def with_capabilities(bounding_set: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Python as root with these capabilities alone."""
    command = ["setpriv", "--inh-caps=-all", f"--bounding-set={bounding_set}", sys.executable, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_a_machine_that_grades_is_fit(sandbox: Sandbox) -> None:
    assert why_unfit(sandbox) == ""


def test_an_examination_tells_the_level_and_each_layer() -> None:
    found = examine()
    assert (found.refusal, found.level in "ABCD") == ("", True)
    assert {layer.name for layer in found.layers if layer.required} >= {"seccomp", "rlimits"}


def test_a_level_below_the_least_is_refused_with_the_layers_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fitness, "Sandbox", lambda minimum_level: Sandbox(minimum_level="A", without=["cgroups"]))
    found = examine("A")
    assert found.level == ""
    assert "demand A" in found.refusal
    assert found.layers


@AS_ROOT
@pytest.mark.parametrize("left", [NO_PRIVILEGES, NO_KILL])
def test_root_without_privileges_claims_no_level(left: str) -> None:
    result = with_capabilities(left, "manage.py", "doctor")
    assert result.returncode == 1
    assert "Level" not in result.stdout
    assert result.stderr.splitlines()[-1].startswith("Nothing is graded here")


@pytest.mark.parametrize("error", [PlatformFault("no report"), SandboxUnavailable("Nothing is graded here.")])
def test_whatever_a_judgement_fails_of_is_told(monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    def fail(*args: object, **options: object) -> Report:
        raise error

    monkeypatch.setattr(fitness, "judge", fail)
    told = why_unfit(Sandbox())
    assert told.startswith("Nothing is graded here")
    assert str(error) in told


def test_a_process_that_was_killed_by_chance_makes_no_machine_unfit(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    judged: list[str] = []

    def dies_once(package: Package, source: str, **options: Any) -> Report:
        judged.append(source)
        if len(judged) == 2:
            raise PlatformFault("the zygote was killed")
        return judge(package, source, **options)

    monkeypatch.setattr(fitness, "judge", dies_once)
    assert why_unfit(sandbox) == ""
    assert len(judged) == 4


def test_a_wrong_verdict_is_unfit(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(fitness._PROGRAMS, "def double(x):\n    return 7.0\n", Verdict.ACCEPTED)
    assert why_unfit(sandbox).endswith("a program that is accepted was found wrong_answer.")


def test_a_sandbox_that_is_told_to_stop_is_not_unfit() -> None:
    with Sandbox() as sandbox:
        sandbox.cancel()
        with pytest.raises(Cancelled):
            why_unfit(sandbox)


@AS_ROOT
def test_a_checker_that_is_not_confined_is_no_fault_of_the_submission() -> None:
    script = (
        "import sys; from grader.fitness import _package; from grader.judge import judge; "
        "from grader.sandbox import Sandbox, SandboxUnavailable\n"
        "try:\n"
        "    with Sandbox() as sandbox: judge(_package(), 'x = 1', seed=0, sandbox=sandbox)\n"
        "except SandboxUnavailable as error: print('unavailable:', error)"
    )
    result = with_capabilities(NO_PRIVILEGES, "-c", script)
    assert result.stdout.startswith("unavailable: Nothing is graded here: the checker is not confined")
