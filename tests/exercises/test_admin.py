from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from exercises.models import Exercise, Proof, Revision
from exercises.services import load_package, store_proof
from tests.grader.small import make_package

CHANGES = reverse("admin:exercises_revision_changelist")


@pytest.fixture
def revision(db: None) -> Revision:
    return load_package(package=make_package())


def publish(client: Client, revision: Revision) -> str:
    form = {"action": "publish_selected", "_selected_action": [revision.pk]}
    return client.post(CHANGES, form, follow=True).content.decode()


def test_a_proven_revision_is_published(admin_client: Client, revision: Revision) -> None:
    store_proof(digest=revision.digest, extent="full", ok=True, report={})
    assert "Learners now see double, revision 1." in publish(admin_client, revision)
    assert Exercise.objects.get().published == revision


def test_an_unproven_revision_is_refused_with_the_way_to_prove_it(admin_client: Client, revision: Revision) -> None:
    assert "verify_exercises double --publish" in publish(admin_client, revision)
    assert Exercise.objects.get().published is None


def test_a_revision_is_read_without_its_hidden_files_and_cannot_be_changed(
    admin_client: Client, revision: Revision
) -> None:
    page = reverse("admin:exercises_revision_change", args=[revision.pk])
    text = admin_client.get(page).content.decode()
    assert "tests.py" in text
    assert "return 2 * x" not in text
    assert admin_client.post(page, {"number": 7}).status_code == 403


def test_what_an_earlier_engine_proved_is_called_so_and_stays_published(
    admin_client: Client, revision: Revision
) -> None:
    store_proof(digest=revision.digest, extent="full", ok=True, report={})
    publish(admin_client, revision)
    Proof.objects.update(engine="of yesterday")
    assert "Proven by an earlier engine." in admin_client.get(CHANGES).content.decode()
    assert "is proven by an earlier engine, and is published only once" in publish(admin_client, revision)
    assert Exercise.objects.get().published == revision
