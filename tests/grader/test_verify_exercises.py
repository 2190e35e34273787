"""Proving the small exercise with the real sandbox."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from exercises import package
from exercises.models import Exercise, Proof, Standing
from grader import proof_record
from grader.management.commands import verify_exercises
from tests.grader.test_proving import SOUND


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The small exercise as the only packaged one."""
    monkeypatch.setattr(package, "PACKAGES", tmp_path)
    monkeypatch.setattr(verify_exercises, "MEMORY", tmp_path / "build" / "proven.json")
    monkeypatch.setattr(proof_record, "RECORD", tmp_path / "proofs.json")
    for path, content in SOUND.items():
        file = tmp_path / "double" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content)
    return tmp_path / "double"


def test_a_sound_exercise_is_one_json_object(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("verify_exercises", "--json")
    found = json.loads(capsys.readouterr().out)
    assert (found["slug"], found["ok"], found["mistakes"], found["problems"]) == ("double", True, 1, [])
    assert (found["mutants"], found["killed"], found["equivalent"], found["mutation_score"]) == (10, 10, 0, 1.0)


def test_for_people_there_is_a_line(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("verify_exercises", "double", "--fast")
    assert capsys.readouterr().out.startswith("ok   double")


def test_what_was_proven_here_is_not_proven_again_when_only_changes_matter(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    call_command("verify_exercises", "--fast", "--changed")
    assert "double" in capsys.readouterr().out
    call_command("verify_exercises", "--fast", "--changed")
    assert capsys.readouterr().out == ""
    (folder / "starter.py").write_text("def double(x):\n    return x + x\n")
    with pytest.raises(CommandError):
        call_command("verify_exercises", "--fast", "--changed")


def test_an_unsound_exercise_fails_with_its_problems(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "mistakes" / "square.py").write_text("'''You add.\n\nDouble it.'''\ndef double(x):\n    return x + x\n")
    (folder / "starter.py").write_text("def double(x):\n    return 2.0 * x\n")
    with pytest.raises(CommandError, match="Not proven: double"):
        call_command("verify_exercises", "double", "--json", "--fast")
    found = json.loads(capsys.readouterr().out)
    assert (found["ok"], found["mistakes"]) == (False, 0)
    assert [problem.split(".")[0] for problem in found["problems"]] == [
        "The starter is accepted",
        "The mistake square is accepted (seed 0)",
    ]


@pytest.mark.django_db
def test_publishing_stores_the_proof_and_shows_the_exercise(folder: Path) -> None:
    call_command("verify_exercises", "--publish")
    published = Exercise.objects.get(slug="double").published
    assert published is not None
    assert Proof.objects.standing(published.digest) is Standing.PROVEN


@pytest.mark.django_db
def test_what_is_not_proven_is_stored_as_such_and_not_published(folder: Path) -> None:
    (folder / "starter.py").write_text("def double(x):\n    return 2.0 * x\n")
    with pytest.raises(CommandError):
        call_command("verify_exercises", "--publish")
    assert Exercise.objects.get().published is None
    assert not Proof.objects.get().ok


@pytest.mark.django_db
def test_only_the_unpublished_when_asked_so_that_a_later_draft_does_not_move_what_learners_see(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    call_command("verify_exercises", "--publish", "--unpublished")
    first = Exercise.objects.get().published
    (folder / "prompt.md").write_text("Said better. " + SOUND["prompt.md"])
    capsys.readouterr()
    call_command("verify_exercises", "--publish", "--unpublished")
    assert capsys.readouterr().out == ""
    assert Exercise.objects.get().published == first
    call_command("verify_exercises", "--publish")
    assert Exercise.objects.get().published != first


def test_an_unknown_exercise_is_a_problem_of_its_own(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(CommandError):
        call_command("verify_exercises", "triple", "double", "--json", "--fast")
    unknown, known = (json.loads(line) for line in capsys.readouterr().out.splitlines())
    assert (unknown["ok"], known["ok"]) == (False, True)
    assert unknown["problems"] == ["There is no exercise “triple”. The exercises are: double."]


def test_learners_see_nothing_that_was_only_proven_fast(folder: Path) -> None:
    with pytest.raises(CommandError, match="leave out --fast, or --publish"):
        call_command("verify_exercises", "--fast", "--publish")


# The record that ships


def test_what_was_recorded_is_not_proven_again_when_only_changes_matter(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    call_command("verify_exercises", "--write-record")
    verify_exercises.MEMORY.unlink()
    capsys.readouterr()
    call_command("verify_exercises", "--changed")
    assert capsys.readouterr().out == ""


def test_a_record_is_checked_by_proving_everything_again(folder: Path) -> None:
    call_command("verify_exercises", "--write-record")
    facts = json.loads(proof_record.RECORD.read_text())
    facts["exercises"]["double"]["made_with"]["torch"] = "9.9"  # only stated
    proof_record.RECORD.write_text(json.dumps(facts))
    call_command("verify_exercises", "--check-record")
    facts["exercises"]["double"]["killed"] = 9
    proof_record.RECORD.write_text(json.dumps(facts))
    with pytest.raises(CommandError, match="double: killed is 10, and the record says 9.\n.*--write-record"):
        call_command("verify_exercises", "--check-record")


def test_a_record_that_cannot_be_read_fails_before_anything_is_proven(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    proof_record.RECORD.write_text("{")
    with pytest.raises(CommandError, match=r"proofs\.json cannot be read .* make it anew"):
        call_command("verify_exercises", "--check-record")
    assert capsys.readouterr().out == ""


def test_nothing_is_recorded_of_an_exercise_that_is_not_proven(folder: Path) -> None:
    (folder / "starter.py").write_text("def double(x):\n    return 2.0 * x\n")
    with pytest.raises(CommandError, match="Not proven: double"):
        call_command("verify_exercises", "--write-record")
    assert not proof_record.RECORD.exists()


@pytest.mark.parametrize(
    "arguments", [("--write-record", "double"), ("--write-record", "--fast"), ("--check-record", "--changed")]
)
def test_a_record_is_of_every_exercise_in_full(folder: Path, arguments: tuple[str, ...]) -> None:
    with pytest.raises(CommandError, match=r"The record holds every exercise|leave out --changed"):
        call_command("verify_exercises", *arguments)
