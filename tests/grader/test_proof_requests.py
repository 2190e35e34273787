"""A draft is proven on request by a worker, never by the web process that took the request."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.auth.models import Permission, User
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from exercises.models import Proof, Revision, Standing
from exercises.package import from_files
from exercises.services import load_package
from grader import proof_requests, tasks, wakeups
from grader.models import ProofRequest, State
from grader.proving import FULL, ProofReport
from grader.sandbox import Cancelled, PlatformFault, Sandbox
from tests.grader.small import QueueUp, make_package
from tests.grader.test_proving import SOUND
from tests.services import Broker, StartWorker, wait_until

LIST = reverse("admin:exercises_revision_changelist")
SANDBOX = Sandbox()  # never entered, except by the real worker below
DRAFT = from_files({path: text.encode() for path, text in SOUND.items()})
BAD_STARTER = "The starter is accepted."


@pytest.fixture
def draft(db: None) -> Revision:
    return load_package(package=DRAFT)


def act(client: Client, action: str, *revisions: Revision) -> str:
    form = {"action": action, "_selected_action": [revision.pk for revision in revisions]}
    return client.post(LIST, form, follow=True).content.decode()


def page_of(client: Client, revision: Revision) -> str:
    return client.get(reverse("admin:exercises_revision_change", args=[revision.pk])).content.decode()


def find(monkeypatch: pytest.MonkeyPatch, *problems: str, fault: Exception | None = None) -> None:
    """Let proving find `problems`, or fail with `fault`."""

    def prove(package: object, sandbox: Sandbox) -> ProofReport:
        if fault:
            raise fault
        return ProofReport("double", DRAFT.digest, mistakes=1, problems=problems, seeds=FULL.seeds, extent=FULL.name)

    monkeypatch.setattr(proof_requests, "prove", prove)


@pytest.mark.django_db(transaction=True)
def test_an_admin_has_a_draft_proven_by_a_real_worker_and_publishes_it(
    admin_client: Client, draft: Revision, start_worker: StartWorker
) -> None:
    start_worker()
    assert "Not proven yet" in page_of(admin_client, draft)
    assert "1 waiting for a worker" in act(admin_client, "prove_selected", draft)
    wait_until(lambda: not ProofRequest.objects.exists(), seconds=90, what="the draft is proven")
    assert "Proven. It can be published." in page_of(admin_client, draft)
    assert "Learners now see double, revision 1." in act(admin_client, "publish_selected", draft)


def test_asking_proves_nothing_in_the_web_process(
    admin_client: Client, draft: Revision, monkeypatch: pytest.MonkeyPatch
) -> None:
    find(monkeypatch, fault=AssertionError("proven in the web process"))
    act(admin_client, "prove_selected", draft)
    assert "Waiting for a worker." in page_of(admin_client, draft)
    assert not Proof.objects.exists()


def test_what_was_found_wanting_is_shown_and_cannot_be_published(
    admin_client: Client, draft: Revision, monkeypatch: pytest.MonkeyPatch
) -> None:
    find(monkeypatch, BAD_STARTER)
    act(admin_client, "prove_selected", draft)
    assert proof_requests.prove_next(SANDBOX) is not None
    page = page_of(admin_client, draft)
    assert "Not good enough yet." in page
    assert BAD_STARTER in page
    assert "is found wanting, and is published only once" in act(admin_client, "publish_selected", draft)


@pytest.mark.parametrize("fault", [PlatformFault("The zygote died."), RuntimeError("out of descriptors")])
def test_our_own_fault_proves_nothing_and_can_be_asked_again(
    admin_client: Client, draft: Revision, monkeypatch: pytest.MonkeyPatch, fault: Exception
) -> None:
    find(monkeypatch, fault=fault)
    act(admin_client, "prove_selected", draft)
    proof_requests.prove_next(SANDBOX)
    page = page_of(admin_client, draft)
    assert "failed on our side" in page
    assert str(fault) in page
    assert not Proof.objects.exists()
    assert proof_requests.prove_next(SANDBOX) is None  # not again and again by itself
    find(monkeypatch)
    act(admin_client, "prove_selected", draft)
    proof_requests.prove_next(SANDBOX)
    assert "Proven." in page_of(admin_client, draft)


def test_a_worker_that_stops_leaves_the_proof_to_the_next(
    draft: Revision, admin: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    proof_requests.ask(revision=draft, by=admin)
    find(monkeypatch, fault=Cancelled())
    assert proof_requests.prove_next(SANDBOX) is not None
    assert not Proof.objects.exists()
    find(monkeypatch)
    assert proof_requests.prove_next(SANDBOX) is not None
    assert Proof.objects.standing(draft.digest) is Standing.PROVEN


def test_two_workers_do_not_prove_the_same_draft(draft: Revision, admin: User, monkeypatch: pytest.MonkeyPatch) -> None:
    proof_requests.ask(revision=draft, by=admin)
    others = []

    def prove(package: object, sandbox: Sandbox) -> ProofReport:
        others.append(proof_requests.prove_next(SANDBOX))
        assert ProofRequest.objects.get().standing(timezone.now()).startswith("A worker is proving it")
        return ProofReport("double", draft.digest, mistakes=1, problems=(), seeds=(), extent=FULL.name)

    monkeypatch.setattr(proof_requests, "prove", prove)
    proof_requests.prove_next(SANDBOX)
    assert others == [None]
    assert Proof.objects.standing(draft.digest) is Standing.PROVEN


def test_a_request_whose_worker_died_is_taken_again(
    draft: Revision, admin: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    proof_requests.ask(revision=draft, by=admin)
    find(monkeypatch)
    ProofRequest.objects.update(claimed_until=timezone.now() + timedelta(minutes=1))
    assert proof_requests.prove_next(SANDBOX) is None
    ProofRequest.objects.update(claimed_until=timezone.now() - timedelta(seconds=1))
    assert proof_requests.prove_next(SANDBOX) is not None


def test_learners_come_first_and_one_turn_proves_one_draft(
    queue_up: QueueUp, draft: Revision, admin: User, monkeypatch: pytest.MonkeyPatch, embedded_broker: Broker
) -> None:
    done: list[str] = []
    rows = [queue_up(), queue_up()]
    second = load_package(package=make_package(prompt="Another draft."))
    for revision in (draft, second):
        proof_requests.ask(revision=revision, by=admin)

    def grade_next(sandbox: Sandbox) -> object:
        if not rows:
            return None
        done.append("submission")
        row = rows.pop()
        type(row).objects.filter(pk=row.pk).update(state=State.DONE, ready=False)
        return row

    def prove(package: object, sandbox: Sandbox) -> ProofReport:
        done.append("proof")
        return ProofReport("double", draft.digest, mistakes=1, problems=(), seeds=(), extent=FULL.name)

    monkeypatch.setattr(tasks, "own_sandbox", Sandbox)
    monkeypatch.setattr(tasks, "why_unfit", lambda sandbox: "")
    monkeypatch.setattr(tasks, "grade_next", grade_next)
    monkeypatch.setattr(proof_requests, "prove", prove)
    tasks.wake()
    assert done == ["submission", "submission", "proof"]
    assert wakeups.waiting() == 1  # for the other draft


def test_the_sweeper_wakes_a_worker_for_a_draft(draft: Revision, admin: User) -> None:
    assert wakeups.wanted() == 0
    proof_requests.ask(revision=draft, by=admin)
    assert wakeups.wanted() == 1


def test_who_may_only_look_may_not_ask(client: Client, draft: Revision) -> None:
    onlooker = User.objects.create(username="onlooker", is_staff=True)
    onlooker.user_permissions.add(Permission.objects.get(codename="view_revision"))
    client.force_login(onlooker)
    act(client, "prove_selected", draft)
    assert not ProofRequest.objects.exists()
