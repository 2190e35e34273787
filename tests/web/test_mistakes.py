"""The mistakes in a wrong submission come to the page after the verdict, without a click."""

from __future__ import annotations

from dataclasses import replace

import pytest
from django.contrib.auth.models import User
from django.urls import reverse
from django.utils import timezone

from courses.models import Item
from grader.models import Submission
from grader.report import MistakeFound, Verdict
from tests.conftest import HandIn, SignIn
from tests.grader.small import a_report

FOUND = MistakeFound("square", "You `square` it.", "Double it.", "All 3 wrong values in the failed test fit.")


@pytest.fixture
def wrong(exercise_item: Item, learner: User, hand_in: HandIn) -> Submission:
    made = hand_in(exercise_item, learner, judged="wrong")
    report = replace(a_report(Verdict.WRONG_ANSWER), mistakes=())
    Submission.objects.filter(pk=made.pk).update(report=report.to_json(), judged_at=timezone.now())
    return made


def test_while_they_are_looked_for_the_page_asks_again(
    wrong: Submission, learner: User, sign_in: SignIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("grader.progress.is_looking", lambda submission_id: submission_id == wrong.pk)
    asked = reverse("grader:mistakes", args=[wrong.pk])
    page = sign_in(learner).get(reverse("grader:submission", args=[wrong.pk])).content.decode()
    assert "Wrong answer" in page
    assert f'hx-get="{asked}?poll=1"' in page
    assert "htmx-2.min.js" in page
    again = sign_in(learner).get(asked, {"poll": "1"}).content.decode()
    assert f'hx-get="{asked}?poll=2"' in again
    assert 'id="result"' not in again


def test_once_they_are_found_they_stand_there_with_what_they_rest_on(
    wrong: Submission, learner: User, sign_in: SignIn
) -> None:
    report = replace(a_report(Verdict.WRONG_ANSWER), mistakes=(FOUND, replace(FOUND, slug="other", fix="")))
    Submission.objects.filter(pk=wrong.pk).update(report=report.to_json())
    page = sign_in(learner).get(reverse("grader:mistakes", args=[wrong.pk])).content.decode()
    assert "hx-get" not in page
    assert "We recognise two mistakes" in page
    assert page.count("You <code>square</code> it.") == page.count(FOUND.evidence) == 2
    assert page.count("<summary>What to do about it</summary>") == 1


def test_where_none_is_found_nothing_is_left(wrong: Submission, learner: User, sign_in: SignIn) -> None:
    page = sign_in(learner).get(reverse("grader:mistakes", args=[wrong.pk])).content.decode()
    assert page.strip() == ""
