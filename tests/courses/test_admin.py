"""Authoring in the admin, as an admin does it."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from courses import moments
from courses.admin import NO_RIGHT_OPTION, TOO_FEW_OPTIONS
from courses.models import Course, Item, Lesson, Question
from tests.conftest import SignIn


@pytest.fixture
def author(admin: User, sign_in: SignIn) -> Client:
    return sign_in(admin)


def question(item: Item, *options: tuple[str, bool]) -> dict[str, Any]:
    """The form of a new question."""
    form: dict[str, Any] = {"quiz": item.quiz_id, "order": 9, "text": "New?", "explanation": ""}
    form |= {"options-TOTAL_FORMS": len(options), "options-INITIAL_FORMS": 0}
    for place, (text, correct) in enumerate(options):
        form |= {
            f"options-{place}-{name}": value
            for name, value in {"order": place, "text": text, "explanation": "Why."}.items()
        }
        form |= {f"options-{place}-correct": "on"} if correct else {}
    return form


def test_a_new_question_reaches_learners(author: Client, quiz_item: Item, learner: User, sign_in: SignIn) -> None:
    author.post(reverse("admin:courses_question_add"), question(quiz_item, ("Right", True), ("Wrong", False)))
    page = sign_in(learner).get(quiz_item.get_absolute_url()).content.decode()
    assert "New?" in page


@pytest.mark.parametrize(
    ("options", "sentence"),
    [([("Wrong", False), ("Also wrong", False)], NO_RIGHT_OPTION), ([("Right", True)], TOO_FEW_OPTIONS)],
)
def test_a_question_that_cannot_be_answered_is_refused(
    author: Client, quiz_item: Item, options: list[tuple[str, bool]], sentence: str
) -> None:
    page = author.post(reverse("admin:courses_question_add"), question(quiz_item, *options))
    assert sentence in page.content.decode()
    assert not Question.objects.filter(text="New?").exists()


def test_a_formula_that_cannot_be_read_is_refused(author: Client, lesson: Lesson) -> None:
    form = {"module": lesson.module_id, "number": 20, "slug": "order", "title": "Order", "minutes": 1}
    page = author.post(
        reverse("admin:courses_lesson_change", args=[lesson.pk]), form | {"level": "advanced", "body": r"$\nonsense$"}
    )
    assert "cannot be read" in page.content.decode()
    lesson.refresh_from_db()
    assert "nonsense" not in lesson.body


def test_a_lesson_is_previewed_and_can_be_viewed_as_a_learner(author: Client, lesson: Lesson) -> None:
    page = author.get(reverse("admin:courses_lesson_change", args=[lesson.pk])).content.decode()
    assert "<mi>a</mi><mo>+</mo><mi>b</mi>" in page
    assert f'href="{lesson.get_absolute_url()}?view=learner"' in page


def test_as_a_learner_an_admin_sees_no_teaching_pages(author: Client, lesson: Lesson) -> None:
    own = author.get(lesson.get_absolute_url()).content.decode()
    as_learner = author.get(f"{lesson.get_absolute_url()}?view=learner").content.decode()
    assert "Gradebook" in own
    assert "Gradebook" not in as_learner
    assert "as a learner does" in as_learner


def item_form(item: Item, **changed: str) -> dict[str, Any]:
    form: dict[str, Any] = {
        "course": item.course_id, "lesson": item.lesson_id, "kind": "quiz", "quiz": item.quiz_id, "title": item.title,
        "order": 1, "weight": 1, "counts": "best", "late_penalty_percent_per_day": 0,
    }  # fmt: skip
    return form | changed


@pytest.mark.parametrize(
    ("zone", "typed", "stored"),
    [
        ("", ("2026-03-29", "02:30"), "2026-03-29T02:30:00+00:00"),
        ("Europe/Berlin", ("2026-03-28", "23:59"), "2026-03-28T22:59:00+00:00"),
        ("Europe/Berlin", ("2026-03-29", "23:59"), "2026-03-29T21:59:00+00:00"),
        ("Europe/Berlin", ("2026-10-25", "23:59"), "2026-10-25T22:59:00+00:00"),
        ("America/New_York", ("2026-03-08", "23:59"), "2026-03-09T03:59:00+00:00"),
        ("America/New_York", ("2026-11-01", "23:59"), "2026-11-02T04:59:00+00:00"),
    ],
)
def test_a_time_is_read_and_shown_as_the_clocks_of_the_course_do(
    author: Client, quiz_item: Item, zone: str, typed: tuple[str, str], stored: str
) -> None:
    Course.objects.update(time_zone=zone)
    url = reverse("admin:courses_item_change", args=[quiz_item.pk])
    day, hour = typed
    assert author.post(url, item_form(quiz_item, due_at_0=day, due_at_1=hour)).status_code == 302
    quiz_item.refresh_from_db()
    assert quiz_item.due_at == datetime.fromisoformat(stored)
    page = author.get(url).content.decode()
    assert f'value="{day}"' in page
    assert f'value="{hour}:00"' in page
    assert f"(here {zone or 'UTC'})" in page
    listed = author.get(reverse("admin:courses_item_changelist")).content.decode()
    assert moments.text(quiz_item.due_at, Course.objects.get()) in listed


@pytest.mark.parametrize(
    ("zone", "day", "hour", "sentence"),
    [
        ("Europe/Berlin", "2026-03-29", "02:30", "29 March 2026, 02:30 does not exist in Europe/Berlin"),
        ("Europe/Berlin", "2026-10-25", "02:30", "25 October 2026, 02:30 happens twice in Europe/Berlin"),
        ("America/New_York", "2026-03-08", "02:30", "does not exist in America/New_York"),
        ("America/New_York", "2026-11-01", "01:30", "happens twice in America/New_York"),
    ],
)
def test_a_time_that_clocks_skip_or_repeat_is_refused(
    author: Client, quiz_item: Item, zone: str, day: str, hour: str, sentence: str
) -> None:
    Course.objects.update(time_zone=zone)
    url = reverse("admin:courses_item_change", args=[quiz_item.pk])
    page = author.post(url, item_form(quiz_item, due_at_0=day, due_at_1=hour)).content.decode()
    assert sentence in page
    assert f'value="{hour}"' in page
    quiz_item.refresh_from_db()
    assert quiz_item.due_at is None


def test_a_course_takes_a_time_zone_that_exists(author: Client, course: Course) -> None:
    url = reverse("admin:courses_course_change", args=[course.pk])
    form = {"slug": course.slug, "title": course.title}
    assert 'value="Asia/Kolkata"' in author.get(url).content.decode()
    assert author.post(url, form | {"time_zone": "Asia/Kolkata"}).status_code == 302
    page = author.post(url, form | {"time_zone": "Mars/Olympus"}).content.decode()
    assert "Choose a time zone by its name" in page
    course.refresh_from_db()
    assert course.time_zone == "Asia/Kolkata"


def test_every_moment_in_the_admin_has_a_zone(author: Client, learner: User) -> None:
    page = author.get(reverse("admin:courses_enrolment_changelist")).content.decode()
    assert re.search(r"20\d\d, \d\d:\d\d UTC", page)
    assert "Times are in UTC" in page


@pytest.mark.parametrize("kind", ["course", "module", "lesson", "quiz", "question", "item", "enrolment"])
def test_every_list_and_form_opens(
    author: Client, quiz_item: Item, exercise_item: Item, learner: User, kind: str
) -> None:
    for page in ("changelist", "add"):
        assert author.get(reverse(f"admin:courses_{kind}_{page}")).status_code == 200
