"""A small exercise in a small course, and rows in its queue."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from celery import current_app
from django.contrib.auth.models import User

from courses.models import Course, Enrolment, Item, Lesson, Module
from exercises.models import Revision
from exercises.services import load_package, publish, store_proof
from grader import intake
from grader.models import Kind, State, Submission
from grader.sandbox import Sandbox
from tests.grader.small import SOURCE, Person, QueueUp, make_package
from tests.services import any_broker, embedded_broker, start_worker

__all__ = ["any_broker", "embedded_broker", "start_worker"]


@pytest.fixture
def revision(db: None) -> Revision:
    revision = load_package(package=make_package())
    store_proof(digest=revision.digest, extent="full", ok=True, report={})
    publish(revision=revision)
    revision.refresh_from_db()
    return revision


@pytest.fixture
def item(revision: Revision) -> Item:
    course = Course.objects.create(slug="arithmetic", title="Arithmetic")
    module = Module.objects.create(course=course, number=1, title="Numbers")
    lesson = Lesson.objects.create(module=module, number=1, slug="twice", title="Twice", minutes=1)
    return Item.objects.create(
        course=course, lesson=lesson, kind=Item.Kind.EXERCISE, exercise=revision.exercise, title="Double"
    )


@pytest.fixture
def other_item(item: Item) -> Item:
    """The same exercise once more in the same lesson."""
    again = {"course": item.course, "lesson": item.lesson, "exercise": item.exercise}
    return Item.objects.create(**again, kind=Item.Kind.EXERCISE, title="Double again", order=2)


@pytest.fixture
def person(item: Item) -> Person:
    """Somebody enrolled in the course of `item`, by username."""

    def named(username: str) -> User:
        user, _ = User.objects.get_or_create(username=username)
        Enrolment.objects.get_or_create(user=user, course=item.course)
        return user

    return named


@pytest.fixture
def queue_up(item: Item, person: Person) -> QueueUp:
    """Queue a submission as a person would; other keywords are then set on the row, with its place to match."""

    def queued(
        by: str = "ada", kind: Kind = Kind.SUBMISSION, source: str = SOURCE, item: Item = item, **row: Any
    ) -> Submission:
        submission = intake.submit(user=person(by), item=item, source=source, kind=kind, key=uuid4())
        row.setdefault("ready", row.get("state", State.QUEUED) == State.QUEUED and row.get("not_before") is None)
        if row:
            Submission.objects.filter(pk=submission.pk).update(**row)
            submission.refresh_from_db()
        return submission

    return queued


@pytest.fixture
def no_broker(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Nothing listens where the broker should be."""
    monkeypatch.setattr(current_app.conf, "broker_url", f"redis+socket://{tmp_path}/nothing.sock")
    monkeypatch.setattr(current_app.conf, "broker_write_url", f"redis+socket://{tmp_path}/nothing.sock")


@pytest.fixture(scope="session")
def sandbox() -> Iterator[Sandbox]:
    """A warm one, at the best level of this machine."""
    with Sandbox() as warm:
        yield warm
