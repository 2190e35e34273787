"""Authoring in the admin, as an admin does it."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from courses.admin import NO_RIGHT_OPTION, TOO_FEW_OPTIONS
from courses.models import Item, Lesson, Question
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


@pytest.mark.parametrize("kind", ["course", "module", "lesson", "quiz", "question", "item", "enrolment"])
def test_every_list_and_form_opens(
    author: Client, quiz_item: Item, exercise_item: Item, learner: User, kind: str
) -> None:
    for page in ("changelist", "add"):
        assert author.get(reverse(f"admin:courses_{kind}_{page}")).status_code == 200
