"""axe-core on the pages of Django's admin where this site is written and run, light and dark."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.urls import reverse
from playwright.sync_api import Page

from courses.models import Course, Item, Lesson, Question
from exercises.models import Revision
from grader import proof_requests
from tests.browser.conftest import OpenAs
from tests.browser.test_accessibility import violations
from tests.conftest import HandIn


@pytest.fixture
def pages(generative_ai: Course, lesson: Lesson, exercise_item: Item, hand_in: HandIn) -> list[str]:
    """The start, lists, every form with what exists, and empty ones."""
    submission = hand_in(exercise_item, User.objects.get(username="learner"), judged="wrong")
    revision = Revision.objects.all()[0]
    proof_requests.ask(revision=revision, by=User.objects.get(username="admin"))
    rows = [generative_ai, lesson.module, lesson, Question.objects.all()[0], exercise_item, revision, submission]
    models = {f"{row._meta.app_label}_{row._meta.model_name}": row for row in rows}
    return [
        reverse("admin:index"),
        *(
            reverse(f"admin:{name}_changelist")
            for name in ("courses_question", "courses_signintally", "exercises_revision")
        ),
        *(reverse(f"admin:{name}_change", args=[row.pk]) for name, row in models.items()),
        *(reverse(f"admin:{name}_add") for name in ("courses_lesson", "courses_question", "courses_item")),
    ]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_admin_page_of_ours_has_a_violation(open_as: OpenAs, pages: list[str], scheme: str) -> None:
    page: Page = open_as("admin", color_scheme=scheme)
    found = {}
    for path in pages:
        page.goto(path)
        if problems := violations(page):
            found[path] = problems
    assert found == {}
