from __future__ import annotations

import pytest

from exercises.models import Exercise, Proof, Revision
from exercises.services import NotProven, load_package, publish, store_proof
from tests.grader.small import make_package

pytestmark = pytest.mark.django_db


def proven(**changed: str) -> Revision:
    revision = load_package(package=make_package(**changed))
    store_proof(digest=revision.digest, ok=True, report={})
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
    store_proof(digest=revision.digest, ok=False, report={})
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
    store_proof(digest="d", ok=True, report={})
    store_proof(digest="d", ok=False, report={"problems": ["The starter is accepted."]})
    assert not Proof.objects.holds_for("d")
