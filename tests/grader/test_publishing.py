"""A first start: the shipped record is believed, the reference judged here, and nothing else is published."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from exercises import package
from exercises.models import Exercise, Proof, Revision, Standing
from exercises.package import from_files, read_folder
from exercises.services import load_package, store_proof
from grader import proof_record, publishing
from grader.proof_record import ProofRecord
from grader.publishing import publish_recorded
from tests.grader.small import FILES

pytestmark = pytest.mark.django_db


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The small exercise as the only packaged one, and a record that proves it."""
    packages = tmp_path / "packages"
    monkeypatch.setattr(package, "PACKAGES", packages)
    monkeypatch.setattr(proof_record, "RECORD", tmp_path / "proofs.json")
    for path, content in FILES.items():
        file = packages / "double" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content)
    record(packages / "double").write()
    return packages / "double"


def record(folder: Path) -> ProofRecord:
    facts: dict[str, Any] = {"mistakes": 1, "mutants": 10, "killed": 10, "equivalent": 0}
    found = {**facts, "digest": read_folder(folder).digest, "mutation_score": 1.0, "public": ()}
    return ProofRecord.of([{"slug": "double", "ok": True, "extent": "full", "made_with": {"python": "3"}, **found}])


def published() -> list[str]:
    return list(Exercise.objects.exclude(published=None).values_list("slug", flat=True))


def test_what_the_record_proves_is_published(folder: Path) -> None:
    assert publish_recorded(pytest.fail) == ["double"]
    assert published() == ["double"]
    proof = Proof.objects.get()
    assert (proof.ok, proof.extent, proof.report["made_with"]) == (True, "full", {"python": "3"})


def test_a_second_start_judges_nothing(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    publish_recorded(pytest.fail)
    monkeypatch.setattr(publishing, "judge", lambda *args, **options: pytest.fail("judged again"))
    publish_recorded(pytest.fail)


def test_a_reference_that_is_not_accepted_on_this_machine_is_not_shown(folder: Path) -> None:
    (folder / "reference.py").write_text("def double(x):\n    return x * x\n")
    record(folder).write()
    told: list[str] = []
    publish_recorded(told.append)
    assert published() == []
    assert told[0].startswith("double is not shown: its reference is not accepted on this machine.")


@pytest.mark.parametrize("change", ["engine", "package", "missing"])
def test_without_a_record_of_this_engine_and_these_files_nothing_is_published(folder: Path, change: str) -> None:
    if change == "engine":
        facts = json.loads(proof_record.RECORD.read_text())
        proof_record.RECORD.write_text(json.dumps({**facts, "engine": "of yesterday"}))
    elif change == "package":
        (folder / "prompt.md").write_text("Return twice `x`, please.")
    else:
        proof_record.RECORD.unlink()
    told: list[str] = []
    publish_recorded(told.append)
    assert published() == []
    assert "no proof of them holds: double." in told[0]
    assert "verify_exercises --unpublished --publish" in told[0]


def test_a_record_inside_a_package_is_never_believed(folder: Path) -> None:
    files = {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    files["prompt.md"] = b"Imported, and vouching for itself."
    for place in ("proofs.json", "assets/proofs.json"):
        try:
            imported = from_files({**files, place: proof_record.RECORD.read_bytes()})
        except package.PackageError:
            continue  # refused whole
        load_package(package=imported)
        assert Proof.objects.standing(imported.digest) is Standing.NOT_PROVEN
    publish_recorded(pytest.fail)
    assert [proof.digest for proof in Proof.objects.all()] == [read_folder(folder).digest]


def test_a_new_revision_of_a_published_exercise_is_proven_by_the_record_and_stays_a_draft(folder: Path) -> None:
    publish_recorded(pytest.fail)
    first = Exercise.objects.get().published
    (folder / "prompt.md").write_text("Said better.")
    record(folder).write()
    told: list[str] = []
    assert publish_recorded(told.append) == []
    assert Exercise.objects.get().published == first
    assert told[0].startswith("Learners still see an earlier revision of double. The new one is proven")
    call_command("verify_exercises", *told[0].split("verify_exercises ")[1].strip("`.").split())
    assert Exercise.objects.get().published == Revision.objects.get(number=2)


def test_what_was_found_wanting_here_is_not_published_on_the_records_word(folder: Path) -> None:
    loaded = load_package(package=read_folder(folder))
    store_proof(digest=loaded.digest, extent="full", ok=False, report={"problems": ["The starter is accepted."]})
    told: list[str] = []
    publish_recorded(told.append)
    assert published() == []
    assert "no proof of them holds: double." in told[0]
