from __future__ import annotations

from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from courses.models import Item
from grader import pace
from grader.models import Kind, Submission
from grader.progress import client
from tests.grader.small import SOURCE, Person


@pytest.mark.usefixtures("embedded_broker")
@pytest.mark.parametrize("headers", [{"HX-Request": "true"}, {}], ids=["htmx", "plain form"])
def test_one_person_may_not_send_more_than_anybody_can_write(
    item: Item, person: Person, headers: dict[str, str]
) -> None:
    def click(name: str) -> tuple[bool, str]:
        """Whether it was taken, and the page."""
        browser = Client(headers=headers)
        browser.force_login(person(name))
        form = {"key": uuid4(), "kind": Kind.SAMPLE, "source": SOURCE}
        answer = browser.post(reverse("grader:submit", args=[item.pk]), form)
        return answer.status_code in (200, 302), answer.content.decode()

    for _ in range(pace.MOST_IN_WINDOW):
        assert click("ada")[0]
    taken, page = click("ada")
    assert not taken
    assert f"more than {pace.MOST_IN_WINDOW} times within" in page
    assert headers or "return x + x" in page
    assert Submission.objects.filter(user__username="ada").count() <= 2
    assert click("bob")[0]
    client().delete(f"gradus:pace:{person('ada').pk}")  # as when the window is over
    assert click("ada")[0]


@pytest.mark.usefixtures("embedded_broker")
def test_a_count_without_an_end_gets_one(person: Person) -> None:
    ada = person("ada")
    client().set(f"gradus:pace:{ada.pk}", pace.MOST_IN_WINDOW)
    assert pace.seconds_to_wait(ada) == pace.WINDOW_SECONDS
    assert 0 < int(client().ttl(f"gradus:pace:{ada.pk}")) <= pace.WINDOW_SECONDS


def test_without_redis_nobody_is_slowed_down(person: Person, settings: Settings) -> None:
    settings.REDIS_URL = "unix:///nowhere/broker.sock"
    assert not any(pace.seconds_to_wait(person("ada")) for _ in range(pace.MOST_IN_WINDOW + 5))
