from __future__ import annotations

from itertools import pairwise

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from pytest_django.fixtures import DjangoAssertNumQueries

from courses.models import Course, Item, Lesson
from exercises.models import Exercise
from tests.conftest import SignIn, TakeQuiz

LESSON_QUERIES = 10


def test_a_learner_finds_the_way_from_home_to_the_lesson(learner: User, lesson: Lesson, sign_in: SignIn) -> None:
    client = sign_in(learner)
    course, module = lesson.module.course, lesson.module
    way = ["/", course.get_absolute_url(), module.get_absolute_url(), lesson.get_absolute_url()]
    for page, link in pairwise(way):
        assert f'href="{link}"' in client.get(page).content.decode()
    page = client.get(lesson.get_absolute_url()).content.decode()
    assert "Session 20" in page
    assert "<math>" in page


def test_only_who_manages_a_course_is_shown_the_way_to_its_people(
    learner: User, assistant: User, instructor: User, course: Course, sign_in: SignIn
) -> None:
    link = f'href="{reverse("courses:roster", args=[course.slug])}"'
    shown = {
        one.username: link in sign_in(one).get(course.get_absolute_url()).content.decode()
        for one in (learner, assistant, instructor)
    }
    assert shown == {"learner": False, "assistant": False, "instructor": True}


def test_a_lesson_needs_few_queries(
    learner: User, lesson: Lesson, quiz_item: Item, exercise_item: Item, take_quiz: TakeQuiz, sign_in: SignIn,
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:  # fmt: skip
    take_quiz(quiz_item, learner)
    client = sign_in(learner)
    with django_assert_max_num_queries(LESSON_QUERIES):
        assert client.get(lesson.get_absolute_url()).status_code == 200


def test_a_lesson_lists_its_quiz_and_exercises_with_marks(
    learner: User, lesson: Lesson, quiz_item: Item, exercise_item: Item, take_quiz: TakeQuiz, sign_in: SignIn
) -> None:
    take_quiz(quiz_item, learner)
    page = sign_in(learner).get(lesson.get_absolute_url()).content.decode()
    assert "100%" in page
    assert "Not yet tried" in page
    assert exercise_item.get_absolute_url() in page


def test_a_lesson_says_what_its_exercises_take_and_which_are_optional(
    learner: User, lesson: Lesson, exercise_item: Item, sign_in: SignIn
) -> None:
    Exercise.objects.update(minutes=95)
    Item.objects.filter(pk=exercise_item.pk).update(part="Side path", weight=0)
    page = sign_in(learner).get(lesson.get_absolute_url()).content.decode()
    assert "10 minutes to read" in page
    assert "1 exercise, about 1 h 35 min" in page
    assert "about 1 h 35 min · optional</p>" in page
    Exercise.objects.update(minutes=45)
    page = sign_in(learner).get(lesson.get_absolute_url()).content.decode()
    assert "1 exercise, about 45 min" in page


def test_demonstrations_whose_runs_are_stored_are_not_called_live(
    learner: User, lesson: Lesson, sign_in: SignIn
) -> None:
    Lesson.objects.update(body="```demonstration translator\nLook.\n```\n")
    page = sign_in(learner).get(lesson.get_absolute_url()).content.decode()
    assert "1 demonstration</li>" in page
    assert "What you see are stored runs" in page
    assert "live" not in page


def test_nothing_inline_that_the_security_policy_would_block(
    learner: User, lesson: Lesson, quiz_item: Item, exercise_item: Item, sign_in: SignIn
) -> None:
    client = sign_in(learner)
    for url in ("/", lesson.get_absolute_url(), quiz_item.get_absolute_url(), exercise_item.get_absolute_url()):
        response = client.get(url)
        page = response.content.decode()
        assert "unsafe" not in response["Content-Security-Policy"]
        assert " style=" not in page
        assert "<style" not in page
        assert " onclick=" not in page
        assert "<script>" not in page


def test_an_empty_site_says_what_to_do(admin: User, db: None, sign_in: SignIn) -> None:
    assert "No course yet" in sign_in(admin).get("/").content.decode()


def test_an_unknown_page_says_so_kindly(client: Client, db: None) -> None:
    response = client.get("/nothing/here/")
    assert response.status_code == 404
    assert "There is no such page" in response.content.decode()


def test_joining_with_a_code(outsider: User, course: Course, sign_in: SignIn) -> None:
    client = sign_in(outsider)
    refused = client.post(reverse("courses:join"), {"code": "guess"})
    assert refused.status_code == 422
    assert "No course has this code" in refused.content.decode()
    assert client.post(reverse("courses:join"), {"code": "JOIN-US"})["Location"] == course.get_absolute_url()
    assert client.get(course.get_absolute_url()).status_code == 200


@pytest.mark.parametrize("path", ["/", "/courses/transformers/", "/exercises/1/"])
def test_visitors_are_sent_to_sign_in_and_back(client: Client, db: None, path: str) -> None:
    assert client.get(path)["Location"] == f"{reverse('courses:sign_in')}?next={path}"


@pytest.mark.parametrize("name", ["grader:submission", "grader:exercise", "courses:quiz", "courses:quiz_attempt"])
def test_a_number_too_large_for_the_database_is_not_found(admin: User, sign_in: SignIn, name: str) -> None:
    assert sign_in(admin).get(reverse(name, args=[10**30])).status_code == 404


def test_a_form_that_was_sent_after_the_session_had_ended_leads_back_to_its_page(
    exercise_item: Item, learner: User, client: Client
) -> None:
    page, form = exercise_item.get_absolute_url(), reverse("grader:submit", args=[exercise_item.pk])
    for before, after in ((f"http://testserver{page}?view=learner", page), ("https://elsewhere.example/trap", "/")):
        sent = client.post(form, {"source": "x = 1"}, headers={"referer": before})
        assert f'name="next" value="{after}"' in sent.content.decode()
        withdrawn = client.post(reverse("courses:join"), {"code": "x"}, headers={"referer": before})
        assert withdrawn.headers["Location"] == f"{reverse('courses:sign_in')}?next={after}"


def test_an_address_that_only_takes_forms_says_so(exercise_item: Item, learner: User, sign_in: SignIn) -> None:
    response = sign_in(learner).get(reverse("grader:submit", args=[exercise_item.pk]))
    assert (response.status_code, response["Allow"]) == (405, "POST")
    assert "Only a form leads here" in response.content.decode()
