from __future__ import annotations

from django.contrib.auth.models import Permission, User
from django.test import Client
from django.urls import reverse
from pytest_django.fixtures import DjangoAssertNumQueries

from grader.models import State, Submission
from tests.grader.small import QueueUp

CHANGES = reverse("admin:grader_submission_changelist")


def act(client: Client, action: str, *rows: Submission) -> str:
    form = {"action": action, "_selected_action": [row.pk for row in rows]}
    return client.post(CHANGES, form, follow=True).content.decode()


def test_an_operator_finds_what_is_held_and_why(admin_client: Client, queue_up: QueueUp) -> None:
    queue_up(state=State.HELD, fault="the zygote died")
    assert "the zygote died" in admin_client.get(CHANGES, {"state__exact": "held"}).content.decode()


def test_an_operator_queues_held_rows_again_and_is_told_what_could_not_be(
    admin_client: Client, queue_up: QueueUp
) -> None:
    held, done = queue_up(state=State.HELD, tries=3), queue_up(state=State.DONE)
    page = act(admin_client, "retry", held, done)
    held.refresh_from_db()
    done.refresh_from_db()
    assert (held.state, held.tries, done.state) == (State.QUEUED, 0, State.DONE)
    assert "1 queued again" in page
    assert "1 were not held" in page


def test_an_operator_gives_up_waiting_rows(admin_client: Client, queue_up: QueueUp) -> None:
    waiting = queue_up()
    act(admin_client, "cancel", waiting)
    waiting.refresh_from_db()
    assert waiting.state == State.CANCELLED


def test_a_submission_can_be_read_but_not_typed_over(admin_client: Client, queue_up: QueueUp) -> None:
    row = queue_up()
    page = reverse("admin:grader_submission_change", args=[row.pk])
    assert admin_client.get(page).status_code == 200
    assert admin_client.post(page, {"verdict": "accepted"}).status_code == 403
    assert admin_client.get(reverse("admin:grader_submission_add")).status_code == 403
    assert admin_client.post(reverse("admin:grader_submission_delete", args=[row.pk])).status_code == 403


def test_who_may_only_look_may_not_act(client: Client, queue_up: QueueUp) -> None:
    onlooker = User.objects.create(username="onlooker", is_staff=True)
    onlooker.user_permissions.add(Permission.objects.get(codename="view_submission"))
    client.force_login(onlooker)
    row = queue_up(state=State.HELD)
    assert client.get(CHANGES).status_code == 200
    act(client, "retry", row)
    row.refresh_from_db()
    assert row.state == State.HELD


def test_the_list_of_submissions_reads_no_more_rows_than_it_shows(
    admin_client: Client, queue_up: QueueUp, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    """With a million rows, each DISTINCT or sorting of them all took seconds."""
    rows = [queue_up(by="ada").pk, queue_up(by="bob", state=State.DONE, verdict="accepted").pk]
    with django_assert_max_num_queries(20) as asked:
        page = admin_client.get(CHANGES)
    assert [row.pk for row in page.context["cl"].result_list] == rows[::-1]
    of_submissions = [query["sql"] for query in asked if 'FROM "grader_submission"' in query["sql"]]
    assert not [
        sql for sql in of_submissions if "DISTINCT" in sql or 'ORDER BY "grader_submission"."created_at"' in sql
    ]
    found = admin_client.get(CHANGES, {"verdict": "accepted"})
    assert [row.pk for row in found.context["cl"].result_list] == rows[1:]
