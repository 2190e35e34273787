"""A session that ended, or a page that is too old, costs nobody what they wrote; and nothing is done without a yes."""

from __future__ import annotations

import html
import json
import re
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from courses import kept_work, quizzes
from courses.models import Item, QuizAttempt
from grader.models import Problem, Submission
from tests.conftest import HandIn

PASSWORD = "a long enough pass phrase"
CODE = "precious = '<b>é</b>'\n\n# \"kept\"\n"
HTMX = {"HX-Request": "true"}


@pytest.fixture
def person(learner: User) -> User:
    learner.set_password(PASSWORD)
    learner.save()
    return learner


@pytest.fixture
def visitor() -> Client:
    """Nobody has signed in, and forged forms are refused."""
    return Client(enforce_csrf_checks=True)


def form(source: str = CODE, **more: Any) -> dict[str, Any]:
    """As browsers send it; where no file is chosen, they send an empty one without a name."""
    return {"key": str(uuid4()), "kind": "submission", "source": source, "file": "", **more}


def url(item: Item) -> str:
    return reverse("grader:submit", args=[item.pk])


def hidden(page: str, name: str) -> str:
    found = re.search(rf'name="{name}" value="([^"]*)"', page)
    assert found, name
    return html.unescape(found[1])


def text_area(page: str) -> str:
    found = re.search(r"<textarea[^>]*>\n?(.*?)</textarea>", page, re.DOTALL)
    assert found
    return html.unescape(found[1])


def sign_in_with(visitor: Client, page: str, password: str = PASSWORD) -> Any:
    """Fill in the sign-in form of this page."""
    fields = {name: hidden(page, name) for name in ("csrfmiddlewaretoken", "next", "work")}
    action = re.search(r'<form method="post" action="([^"]+)" enctype="multipart/form-data"', page)
    assert action
    return visitor.post(action[1], fields | {"username": "learner", "password": password})


def nothing_was_done() -> bool:
    return not (Submission.objects.exists() or QuizAttempt.objects.exists() or Problem.objects.exists())


def test_code_comes_through_the_sign_in_page_also_past_a_wrong_password(
    exercise_item: Item, person: User, visitor: Client
) -> None:
    asked = visitor.post(url(exercise_item), form())
    assert asked.status_code == 403
    assert "You were signed out" in asked.content.decode()
    wrong = sign_in_with(visitor, asked.content.decode(), password="wrong")
    assert "correct username and password" in wrong.content.decode()
    back = sign_in_with(visitor, wrong.content.decode())
    page = back.content.decode()
    assert text_area(page) == CODE
    assert kept_work.BACK in page
    assert all("no-store" in each["Cache-Control"] for each in (asked, wrong, back))
    assert nothing_was_done()
    again = form(text_area(page), csrfmiddlewaretoken=hidden(page, "csrfmiddlewaretoken"))
    assert visitor.post(url(exercise_item), again).status_code == 302
    assert Submission.objects.get().source == CODE


def test_a_page_from_before_signing_in_again_gives_the_code_back(
    exercise_item: Item, person: User, visitor: Client
) -> None:
    visitor.force_login(person)
    old = hidden(visitor.get(exercise_item.get_absolute_url()).content.decode(), "csrfmiddlewaretoken")
    visitor.cookies.pop("csrftoken")
    response = visitor.post(url(exercise_item), form(csrfmiddlewaretoken=old), headers={"origin": "http://testserver"})
    page = response.content.decode()
    assert response.status_code == 403
    assert kept_work.OLD_PAGE in page
    assert text_area(page) == CODE
    assert nothing_was_done()
    again = form(csrfmiddlewaretoken=hidden(page, "csrfmiddlewaretoken"))
    assert visitor.post(url(exercise_item), again).status_code == 302


def test_a_form_of_another_site_is_not_even_shown(exercise_item: Item, person: User, visitor: Client) -> None:
    for signed_in in (False, True):
        if signed_in:
            visitor.force_login(person)
        for origin in ("https://elsewhere.example", "null"):
            response = visitor.post(url(exercise_item), form(), headers={"origin": origin})
            page = response.content.decode()
            assert response.status_code == 403
            assert "This form is too old" in page
            assert "precious" not in page
    assert nothing_was_done()


def test_what_changes_more_than_ones_own_work_is_never_offered_again(
    exercise_item: Item, instructor: User, visitor: Client
) -> None:
    visitor.force_login(instructor)
    response = visitor.post(reverse("grader:hold", args=[exercise_item.pk]), {"held": "1"})
    assert response.status_code == 403
    assert "This form is too old" in response.content.decode()


@pytest.mark.parametrize("typed", ["", "typed = 1\n"])
def test_a_chosen_file_comes_along(exercise_item: Item, person: User, visitor: Client, typed: str) -> None:
    sent = form(typed, file=SimpleUploadedFile("code.py", CODE.encode()))
    page = sign_in_with(visitor, visitor.post(url(exercise_item), sent).content.decode()).content.decode()
    assert html.escape(CODE, quote=True) in page
    assert ("Which one counts?" in page) == bool(typed)
    assert typed in page
    assert nothing_was_done()


def test_quiz_answers_come_through_the_sign_in_page(quiz_item: Item, person: User, visitor: Client) -> None:
    chosen = {f"question-{each.pk}": str(each.options.all()[1].pk) for each in quizzes.questions_of(quiz_item)}
    asked = visitor.post(quiz_item.get_absolute_url(), {"key": str(uuid4()), **chosen})
    page = sign_in_with(visitor, asked.content.decode()).content.decode()
    assert set(re.findall(r'value="(\d+)" checked', page)) == set(chosen.values())
    assert kept_work.BACK in page
    assert nothing_was_done()


def test_a_report_comes_through_the_sign_in_page(
    exercise_item: Item, person: User, visitor: Client, hand_in: HandIn
) -> None:
    report = reverse("grader:report", args=[hand_in(exercise_item, person).pk])
    asked = visitor.post(report, {"text": "Row 1 is wrong."})
    page = sign_in_with(visitor, asked.content.decode()).content.decode()
    assert text_area(page).strip() == "Row 1 is wrong."
    assert not Problem.objects.exists()


def test_a_report_that_is_too_long_is_given_back(
    exercise_item: Item, learner: User, client: Client, hand_in: HandIn
) -> None:
    client.force_login(learner)
    response = client.post(
        reverse("grader:report", args=[hand_in(exercise_item, learner).pk]), {"text": "long " * 1000}
    )
    assert response.status_code == 422
    assert "at most 4,000 characters" in response.content.decode()
    assert text_area(response.content.decode()).count("long") == 1000


def test_who_signs_in_as_somebody_without_access_is_shown_nothing(
    exercise_item: Item, outsider: User, visitor: Client
) -> None:
    outsider.username = "learner"
    outsider.set_password(PASSWORD)
    outsider.save()
    asked = visitor.post(url(exercise_item), form())
    assert sign_in_with(visitor, asked.content.decode())["Location"] == "/"


def test_who_signed_in_elsewhere_meanwhile_gets_the_work_at_once(
    exercise_item: Item, person: User, visitor: Client
) -> None:
    page = visitor.post(url(exercise_item), form()).content.decode()
    visitor.force_login(person)
    assert text_area(sign_in_with(visitor, page).content.decode()) == CODE
    visitor.cookies["csrftoken"] = "x" * 32  # as after signing in
    assert text_area(sign_in_with(visitor, page).content.decode()) == CODE
    assert nothing_was_done()


@pytest.mark.parametrize("headers", [{}, {"origin": "http://testserver"}])
@pytest.mark.parametrize("is_signed_in", [False, True])
def test_with_javascript_the_code_stays_where_it_is(
    exercise_item: Item, person: User, visitor: Client, headers: dict[str, str], is_signed_in: bool
) -> None:
    page = exercise_item.get_absolute_url()
    if is_signed_in:
        visitor.force_login(person)
    headers |= HTMX | {"HX-Current-URL": f"http://testserver{page}"}
    response = visitor.post(url(exercise_item), form(), headers=headers)
    answer = response.content.decode()
    assert response.status_code == 403
    assert answer.lstrip().startswith('<section id="result"')
    assert "precious" not in answer
    if is_signed_in:
        assert kept_work.OLD_PAGE in answer
        token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)" hx-swap-oob', answer)
        assert token
        assert visitor.post(url(exercise_item), form(csrfmiddlewaretoken=token[1]), headers=headers).status_code == 200
    else:
        assert f'href="{reverse("courses:sign_in")}?next={page}"' in answer
        assert nothing_was_done()


def test_a_poll_after_signing_out_offers_to_sign_in(
    exercise_item: Item, learner: User, client: Client, hand_in: HandIn
) -> None:
    live = reverse("grader:live", args=[hand_in(exercise_item, learner, judged="").pk])
    response = client.get(live, headers=HTMX | {"HX-Current-URL": "http://testserver/exercises/1/?a=b"})
    assert response.status_code == 403
    assert f"{reverse('courses:sign_in')}?next=/exercises/1/" in response.content.decode()
    assert "hx-get" not in response.content.decode()


def test_what_is_too_large_to_travel_is_said(exercise_item: Item, person: User, visitor: Client) -> None:
    page = visitor.post(url(exercise_item), form('"' * 500_000)).content.decode()
    assert "too large to be kept" in page
    assert 'name="work"' not in page


@pytest.mark.parametrize(
    "work",
    [
        "",
        "nonsense",
        "[]",
        "[1, {}]",
        '["/people/1/remove/", {}]',
        '["/nothing/", {"source": ["x"]}]',
        '["https://elsewhere.example/", {}]',
        '["/exercises/999/submit/", {"source": ["x"]}]',
        '["/exercises/1/submit/", {"source": "x", "file": 1}]',
        "[" * 100_000,
    ],
)
def test_work_that_nobody_sent_is_nothing(client: Client, person: User, work: str) -> None:
    fields = {"username": "learner", "password": PASSWORD, "work": work}
    assert client.post(reverse("courses:sign_in_again"), fields)["Location"] == "/"


def test_only_a_form_that_takes_work_can_be_named(exercise_item: Item, person: User, client: Client) -> None:
    work = json.dumps([url(exercise_item), {"source": ["x = 1"], "kind": ["submission"], "key": [str(uuid4())]}])
    page = client.post(
        reverse("courses:sign_in_again"), {"username": "learner", "password": PASSWORD, "work": work}
    ).content.decode()
    assert text_area(page) == "x = 1"
    assert nothing_was_done()


@pytest.mark.parametrize(
    ("path", "status", "words"),
    [
        ("/exercises/{item}/submit/", 405, "Only a form leads here"),
        ("/nothing/", 404, "There is no such page"),
    ],
)
def test_refusals_are_told_apart(
    exercise_item: Item, learner: User, client: Client, path: str, status: int, words: str
) -> None:
    client.force_login(learner)
    response = client.get(path.format(item=exercise_item.pk))
    assert (response.status_code, words in response.content.decode()) == (status, True)
