"""A new exercise is a working one."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from exercises import package
from exercises.package import from_files, read_folder
from exercises.skeleton import skeleton_files
from grader.proving import prove
from grader.sandbox import Sandbox


@pytest.fixture
def packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(package, "PACKAGES", tmp_path)
    return tmp_path


def test_it_is_written_under_its_own_name(packages: Path, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("new_exercise", "row-means")
    made = read_folder(packages / "row-means")
    assert (made.slug, made.spec.title, made.spec.entries[0].name) == ("row-means", "Row means", "row_means")
    assert not any(b"a_new" in content or b"a-new" in content for content in made.files.values())
    assert "verify_exercises row-means" in capsys.readouterr().out


@pytest.mark.parametrize("slug", ["Row Means", "row-", "3d", "for", "x" * 51])
def test_a_name_that_cannot_be_is_refused(packages: Path, slug: str) -> None:
    with pytest.raises(CommandError, match="is no slug|cannot be the name"):
        call_command("new_exercise", slug)
    assert list(packages.iterdir()) == []


def test_nothing_is_written_over(packages: Path) -> None:
    call_command("new_exercise", "row-means")
    with pytest.raises(CommandError, match="There is an exercise row-means already"):
        call_command("new_exercise", "row-means")


def test_it_verifies_as_it_is() -> None:
    with Sandbox() as sandbox:
        report = prove(from_files(skeleton_files("row-means")), sandbox)
    assert report.problems == ()
    assert (report.mistakes, report.mutation.score, report.mutation.survivors) == (5, 1.0, ())
    assert report.mutation.equivalent == 1
