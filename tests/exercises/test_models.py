from __future__ import annotations

import pytest

from exercises.models import Immutable, Revision, decoded, encoded
from exercises.services import load_package
from tests.grader.small import make_package


@pytest.fixture
def revision(db: None) -> Revision:
    return load_package(package=make_package())


def test_a_revision_gives_back_the_package_it_was_made_from(revision: Revision) -> None:
    assert Revision.objects.get().package() == make_package()


def test_a_saved_revision_cannot_be_saved_again(revision: Revision) -> None:
    revision.number = 7
    with pytest.raises(Immutable):
        revision.save()
    assert Revision.objects.get().number == 1


def test_revisions_cannot_be_updated_in_bulk(revision: Revision) -> None:
    with pytest.raises(Immutable):
        Revision.objects.update(number=7)


def test_files_of_any_bytes_survive_storage() -> None:
    files = {"assets/weights.bin": bytes(range(256)), "prompt.md": "naïve".encode()}
    assert decoded(encoded(files)) == files
