from __future__ import annotations

from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from exercises.models import Exercise, Revision
from exercises.package import slugs
from tests.grader.small import make_package

pytestmark = pytest.mark.django_db


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for path, content in make_package().files.items():
        file = tmp_path / "double" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
    return tmp_path / "double"


def test_every_packaged_exercise_is_loaded_once(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("load_exercises")
    call_command("load_exercises")
    assert sorted(Exercise.objects.values_list("slug", flat=True)) == slugs()
    assert Revision.objects.count() == len(slugs())


def test_a_chosen_folder_is_loaded_and_told_about(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("load_exercises", str(folder))
    call_command("load_exercises", str(folder))
    assert capsys.readouterr().out.splitlines() == [
        "double: revision 1, new, a draft",
        "double: revision 1, unchanged, a draft",
    ]


def test_a_bad_folder_fails_with_sentences_and_the_good_ones_are_still_loaded(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "broken").mkdir()
    with pytest.raises(CommandError, match="1 of 2 folders were not loaded"):
        call_command("load_exercises", str(tmp_path / "broken"), str(folder))
    assert "broken: The file reference.py is missing. Add it." in capsys.readouterr().err
    assert Revision.objects.get().exercise.slug == "double"
