"""Every page that shows a moment names its zone, and what is not open yet shows when it opens."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from courses import people
from courses.models import Course, Item, Lesson, Role
from grader import problems
from grader.models import Submission
from tests.conftest import HandIn, SignIn, TakeQuiz

CLOCK = re.compile(r"\b\d\d?:\d\d(?::\d\d)?\b(?!:\d\d| CES?T)")
DUE = datetime(2099, 7, 1, 21, 59, tzinfo=UTC)


@pytest.fixture
def berlin(course: Course) -> Course:
    course.time_zone = "Europe/Berlin"
    course.save()
    return course


@pytest.fixture
def work(
    berlin: Course, quiz_item: Item, exercise_item: Item, learner: User, instructor: User,
    take_quiz: TakeQuiz, hand_in: HandIn,
) -> list[str]:  # fmt: skip
    """The pages of a course in which every kind of moment is shown."""
    Item.objects.update(due_at=DUE)
    attempt = take_quiz(quiz_item, learner)
    submission = hand_in(exercise_item, learner, judged="wrong")
    problems.report(submission=submission, text="Unclear.")
    people.invite(course=berlin, by=instructor, role=Role.LEARNER, note="Ada")
    forgotten = hand_in(exercise_item, learner)
    Submission.objects.filter(pk=forgotten.pk).update(report=None, report_removed_at=timezone.now())
    base = berlin.get_absolute_url()
    return [
        quiz_item.get_absolute_url(),
        reverse("courses:quiz_attempt", args=[attempt.pk]),
        exercise_item.get_absolute_url(),
        reverse("grader:submission", args=[submission.pk]),
        reverse("grader:submission", args=[forgotten.pk]),
        reverse("grader:history", args=[exercise_item.pk, learner.pk]),
        exercise_item.lesson.get_absolute_url(),
        *(f"{base}{page}" for page in ("", "progress/", "inbox/", "people/")),
    ]


def words(page: str) -> str:
    """What a reader sees of it, in one line."""
    return " ".join(re.sub(r"<[^>]*>", "", page.split("<main")[1].replace("<br>", " ")).split())


def test_every_moment_in_a_course_is_in_its_zone_and_names_it(
    work: list[str], learner: User, instructor: User, sign_in: SignIn
) -> None:
    teacher = sign_in(instructor)
    pages = [words(teacher.get(url).content.decode()) for url in work]
    pages.append(words(sign_in(learner).get(work[2]).content.decode()))
    assert all(re.search(r"\d\d:\d\d(?::\d\d)? CES?T", page) for page in pages)
    assert [CLOCK.findall(page) for page in pages] == [[] for _ in pages]
    assert "due 1 July 2099, 23:59 CEST" in pages[2]


def test_a_course_without_a_zone_has_the_sites(exercise_item: Item, learner: User, sign_in: SignIn) -> None:
    Item.objects.update(due_at=DUE)
    page = words(sign_in(learner).get(exercise_item.get_absolute_url()).content.decode())
    assert "due 1 July 2099, 21:59 UTC" in page


def test_the_rules_name_the_zone_when_they_refuse(
    berlin: Course, quiz_item: Item, learner: User, sign_in: SignIn
) -> None:
    Item.objects.update(opens_at=datetime(2099, 1, 1, 23, 0, tzinfo=UTC))
    page = sign_in(learner).get(quiz_item.get_absolute_url()).content.decode()
    assert "This opens on 2 January 2099, 00:00 CET." in page


@pytest.fixture
def opening(berlin: Course, quiz_item: Item, exercise_item: Item, learner: User, take_quiz: TakeQuiz) -> Item:
    """An exercise that opens some day, beside a quiz that is done."""
    take_quiz(quiz_item, learner)
    exercise_item.opens_at = DUE
    exercise_item.save()
    return exercise_item


def test_what_is_not_open_shows_when_it_opens_and_counts_nowhere(
    opening: Item, lesson: Lesson, learner: User, instructor: User, sign_in: SignIn
) -> None:
    base = opening.course.get_absolute_url()
    client: Client = sign_in(learner)
    progress = words(client.get(f"{base}progress/").content.decode())
    assert "100% of everything that is open" in progress
    assert "opens 1 July 2099, 23:59 CEST" in progress
    assert "Quiz and exercises: 1 of 1 done" in words(client.get(base).content.decode())
    assert "opens 1 July 2099, 23:59 CEST" in words(client.get(lesson.get_absolute_url()).content.decode())
    book = words(sign_in(instructor).get(f"{base}gradebook/").content.decode())
    assert "opens 1 July 2099, 23:59 CEST" in book
    assert re.search(r"Learner learner 100 ?– 100\b", book)


def test_what_opens_now_is_counted_at_once(opening: Item, learner: User, sign_in: SignIn) -> None:
    Item.objects.filter(pk=opening.pk).update(opens_at=timezone.now() - timedelta(seconds=1))
    progress = words(sign_in(learner).get(f"{opening.course.get_absolute_url()}progress/").content.decode())
    assert "50% of everything" in progress
    assert "opens" not in progress
