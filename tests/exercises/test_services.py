from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from exercises.judging import FILES, digest_of_code
from exercises.models import Exercise, Extent, Proof, Revision, Standing
from exercises.services import NotProven, load_package, publish, store_proof
from tests.grader.small import make_package

pytestmark = pytest.mark.django_db


def proven(**changed: str) -> Revision:
    revision = load_package(package=make_package(**changed))
    store_proof(digest=revision.digest, extent="full", ok=True, report={})
    return revision


def test_loading_makes_a_draft_that_learners_do_not_see() -> None:
    revision = load_package(package=make_package())
    assert revision.number == 1
    assert Exercise.objects.get().published is None


def test_loading_the_same_files_again_changes_nothing() -> None:
    assert load_package(package=make_package()) == load_package(package=make_package())
    assert Revision.objects.count() == 1


def test_changed_files_are_the_next_revision_and_learners_keep_the_published_one() -> None:
    first = proven()
    publish(revision=first)
    second = load_package(package=make_package(prompt="Said better."))
    assert second.number == 2
    assert Exercise.objects.get().published == first


def test_files_that_come_back_are_their_old_revision() -> None:
    first = load_package(package=make_package())
    load_package(package=make_package(prompt="Said better."))
    assert load_package(package=make_package()) == first


def test_publishing_demands_a_proof_that_holds() -> None:
    revision = load_package(package=make_package())
    with pytest.raises(NotProven, match="verify_exercises double --publish"):
        publish(revision=revision)
    store_proof(digest=revision.digest, extent="full", ok=False, report={})
    with pytest.raises(NotProven):
        publish(revision=revision)
    assert Exercise.objects.get().published is None


def test_a_proof_of_other_files_does_not_count() -> None:
    proven()
    with pytest.raises(NotProven):
        publish(revision=load_package(package=make_package(prompt="Said better.")))


def test_the_title_that_people_see_moves_with_publishing() -> None:
    publish(revision=proven())
    retitled = make_package().files["exercise.toml"].decode().replace('"Double"', '"Twice as much"')
    draft = proven(toml=retitled)
    assert Exercise.objects.get().title == "Double"
    publish(revision=draft)
    assert Exercise.objects.get().title == "Twice as much"


def test_the_newest_finding_about_files_is_the_one_that_counts() -> None:
    store_proof(digest="d", extent="full", ok=True, report={})
    store_proof(digest="d", extent="full", ok=False, report={"problems": ["The starter is accepted."]})
    assert Proof.objects.standing("d") is Standing.NOT_GOOD


def test_a_fast_proof_is_not_enough_to_publish() -> None:
    revision = load_package(package=make_package())
    store_proof(digest=revision.digest, extent=Extent.FAST, ok=True, report={})
    with pytest.raises(
        NotProven, match="is not proven, and is published only once today's engine has proven it in full"
    ):
        publish(revision=revision)


def test_fast_and_full_proofs_are_kept_side_by_side() -> None:
    store_proof(digest="d", extent=Extent.FULL, ok=True, report={})
    store_proof(digest="d", extent=Extent.FAST, ok=False, report={})
    assert Proof.objects.standing("d") is Standing.PROVEN
    assert Proof.objects.count() == 2


def test_an_engine_changed_by_one_line_asks_for_new_proofs_and_unpublishes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    publish(revision=(shown := proven()))
    draft = proven(prompt="Said better.")
    changed = one_line_more(tmp_path)
    for module in ("exercises.models", "exercises.services"):
        monkeypatch.setattr(f"{module}.engine_digest", lambda: changed)
    assert Exercise.objects.get().published == shown
    assert Proof.objects.standing(shown.digest) is Standing.PROVEN_EARLIER
    with pytest.raises(NotProven, match="is proven by an earlier engine"):
        publish(revision=draft)
    store_proof(digest=draft.digest, extent=Extent.FULL, ok=True, report={})
    publish(revision=draft)
    assert Exercise.objects.get().published == draft


def test_todays_engine_has_the_last_word_on_what_an_earlier_one_proved() -> None:
    store_proof(digest="d", extent=Extent.FULL, ok=True, report={})
    Proof.objects.update(engine="of yesterday")
    store_proof(digest="d", extent=Extent.FULL, ok=False, report={})
    assert Proof.objects.standing("d") is Standing.NOT_GOOD


def one_line_more(folder: Path) -> str:
    """The digest of our engine with a comment more in its mutation."""
    base = Path(__file__).resolve().parents[2]
    for name in FILES:
        source, target = base / name, folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target)
        else:
            shutil.copy(source, target)
    assert digest_of_code(folder) == digest_of_code(base)
    with (folder / "exercises/mutation/calls.py").open("a") as file:
        file.write("# another line\n")
    return digest_of_code(folder)
