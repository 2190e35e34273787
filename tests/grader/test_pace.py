from __future__ import annotations

from uuid import uuid4

import pytest
from pytest_django import Settings

from courses.models import Item
from grader import pace
from grader.intake import Refused, submit
from grader.models import Kind
from grader.progress import client
from tests.grader.small import SOURCE, Person


@pytest.mark.usefixtures("embedded_broker")
def test_one_person_may_not_send_more_than_anybody_can_write(item: Item, person: Person) -> None:
    def click(name: str) -> None:
        submit(user=person(name), item=item, source=SOURCE, kind=Kind.SAMPLE, key=uuid4())

    for _ in range(pace.MOST_IN_WINDOW):
        click("ada")
    with pytest.raises(Refused, match=rf"more than {pace.MOST_IN_WINDOW} times within.* try again in \d+ s"):
        click("ada")
    click("bob")
    client().delete(f"gradus:pace:{person('ada').pk}")  # as when the window is over
    click("ada")


@pytest.mark.usefixtures("embedded_broker")
def test_a_count_without_an_end_gets_one(person: Person) -> None:
    ada = person("ada")
    client().set(f"gradus:pace:{ada.pk}", pace.MOST_IN_WINDOW)
    assert pace.seconds_to_wait(ada) == pace.WINDOW_SECONDS
    assert 0 < int(client().ttl(f"gradus:pace:{ada.pk}")) <= pace.WINDOW_SECONDS


def test_without_redis_nobody_is_slowed_down(person: Person, settings: Settings) -> None:
    settings.REDIS_URL = "unix:///nowhere/broker.sock"
    assert not any(pace.seconds_to_wait(person("ada")) for _ in range(pace.MOST_IN_WINDOW + 5))
