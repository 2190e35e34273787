from __future__ import annotations

from datetime import timedelta
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from courses import quizzes
from courses.models import Item, QuizAttempt, Result
from tests.conftest import SignIn


def form(item: Item, *, right: bool = True) -> dict[str, str]:
    chosen = {f"question-{each.pk}": str(each.options.get(correct=right).pk) for each in quizzes.questions_of(item)}
    return {"key": str(uuid4()), **chosen}


def test_handing_in_shows_marks_and_every_explanation(quiz_item: Item, learner: User, sign_in: SignIn) -> None:
    client = sign_in(learner)
    page = client.post(quiz_item.get_absolute_url(), form(quiz_item, right=False), follow=True).content.decode()
    assert "<h1>0 of 2" in page
    assert page.count("Because yes.") == page.count("Because not no.") == 2


def test_the_quiz_page_does_not_tell_the_answers(quiz_item: Item, learner: User, sign_in: SignIn) -> None:
    page = sign_in(learner).get(quiz_item.get_absolute_url()).content.decode()
    assert "Because" not in page
    assert "correct" not in page


def test_an_empty_quiz_is_given_back_with_what_was_answered(quiz_item: Item, learner: User, sign_in: SignIn) -> None:
    sent = form(quiz_item)
    name, value = sent.popitem()
    response = sign_in(learner).post(quiz_item.get_absolute_url(), sent)
    page = response.content.decode()
    assert response.status_code == 422
    assert "Question 2 has no answer yet" in page
    assert page.count(" checked") == 1
    assert value not in sent.values()
    assert name not in sent
    assert not QuizAttempt.objects.exists()


def test_no_answer_at_all_names_every_question_and_burns_no_attempt(
    quiz_item: Item, learner: User, sign_in: SignIn
) -> None:
    response = sign_in(learner).post(quiz_item.get_absolute_url(), {"key": str(uuid4())})
    assert response.status_code == 422
    assert "Questions 1, 2 have no answer yet" in response.content.decode()
    assert not QuizAttempt.objects.exists()


def test_a_double_click_is_one_attempt(quiz_item: Item, learner: User, sign_in: SignIn) -> None:
    client, sent = sign_in(learner), form(quiz_item)
    pages = [client.post(quiz_item.get_absolute_url(), sent)["Location"] for _ in range(2)]
    assert pages[0] == pages[1]
    assert QuizAttempt.objects.count() == 1


@pytest.mark.parametrize("changed", ["answers", "item"])
def test_a_form_that_comes_back_changed_is_new_work(
    quiz_item: Item, learner: User, sign_in: SignIn, changed: str
) -> None:
    client, first = sign_in(learner), form(quiz_item, right=False)
    second, place = first | {"key": first["key"]}, quiz_item
    if changed == "answers":
        second = form(quiz_item) | {"key": first["key"]}
    else:
        place = Item.objects.create(
            course=quiz_item.course, lesson=quiz_item.lesson, kind="quiz", quiz=quiz_item.quiz, title="Again"
        )
    pages = [client.post(quiz_item.get_absolute_url(), first)["Location"]]
    pages += [client.post(place.get_absolute_url(), second)["Location"] for _ in range(2)]
    assert pages[0] != pages[1] == pages[2]
    assert QuizAttempt.objects.count() == Result.objects.count() == 2


def test_the_page_is_not_stored_by_browsers(quiz_item: Item, learner: User, sign_in: SignIn) -> None:
    client, url = sign_in(learner), quiz_item.get_absolute_url()
    for response in (client.get(url), client.post(url, {"key": "x"})):
        assert "no-store" in response["Cache-Control"]


def test_options_of_another_question_are_no_answer(quiz_item: Item, learner: User, sign_in: SignIn) -> None:
    sent = form(quiz_item)
    one, two = (name for name in sent if name != "key")
    sent[one], sent[two] = sent[two], sent[one]
    response = sign_in(learner).post(quiz_item.get_absolute_url(), sent)
    assert response.status_code == 422
    assert not QuizAttempt.objects.exists()


def test_a_damaged_form_burns_no_attempt(quiz_item: Item, learner: User, sign_in: SignIn) -> None:
    client = sign_in(learner)
    for damaged in ({}, {"key": "x"}, {"key": str(uuid4()), "question-1": "'; drop table"}):
        assert client.post(quiz_item.get_absolute_url(), damaged).status_code == 422
    assert not QuizAttempt.objects.exists()


def test_a_forged_form_is_refused(quiz_item: Item, learner: User) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(learner)
    response = client.post(quiz_item.get_absolute_url(), form(quiz_item))
    assert response.status_code == 403
    assert "nothing was submitted" in response.content.decode()
    assert not QuizAttempt.objects.exists()


def test_two_tabs_share_the_last_attempt(quiz_item: Item, learner: User, sign_in: SignIn) -> None:
    quiz_item.attempts = 1
    quiz_item.save()
    client = sign_in(learner)
    assert client.post(quiz_item.get_absolute_url(), form(quiz_item)).status_code == 302
    second = client.post(quiz_item.get_absolute_url(), form(quiz_item))
    assert second.status_code == 422
    assert "only attempt" in second.content.decode()


def test_a_quiz_that_is_not_open_shows_no_question(quiz_item: Item, learner: User, sign_in: SignIn) -> None:
    quiz_item.opens_at = timezone.now() + timedelta(days=1)
    quiz_item.save()
    page = sign_in(learner).get(quiz_item.get_absolute_url()).content.decode()
    assert "This opens on" in page
    assert "One?" not in page


def test_the_gradebook_opens_the_attempt(quiz_item: Item, learner: User, instructor: User, sign_in: SignIn) -> None:
    sign_in(learner).post(quiz_item.get_absolute_url(), form(quiz_item, right=False))
    attempt = QuizAttempt.objects.get()
    client = sign_in(instructor)
    book = client.get(reverse("courses:gradebook", args=[quiz_item.course.slug])).content.decode()
    url = reverse("courses:quiz_attempt", args=[attempt.pk])
    assert f'href="{url}"' in book
    assert "Learner" in client.get(url).content.decode()


@pytest.mark.parametrize("answer", ["²", "9" * 5000, "-1"])
def test_an_answer_that_is_no_option_is_no_fault_of_ours(
    quiz_item: Item, learner: User, sign_in: SignIn, answer: str
) -> None:
    form = {"key": str(uuid4()), "question-1": answer}
    assert sign_in(learner).post(reverse("courses:quiz", args=[quiz_item.pk]), form).status_code == 422
