"""Every address × everybody. A new address without a row fails; so does a row without an address."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from django.contrib.admin import site as admin_site
from django.contrib.auth.models import User
from django.db import transaction
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode

from courses import people
from courses.models import Course, Enrolment, EnrolmentRequest, Item, Lesson, Role
from grader import problems
from grader.models import Kind
from tests.conftest import HandIn, SignIn, TakeQuiz

CAST = ("anonymous", "learner", "classmate", "assistant", "instructor", "outsider", "admin")
YES, NO, SIGN_IN = "in", "refused", "sent to sign in"
KEY = "7b1d3a52-9d0c-4f0e-8d0a-7d5f2c0a1e11"


@dataclass(frozen=True, slots=True)
class Row:
    """Who gets in, in the order of CAST. `args` name things that belong to `learner`."""

    answers: tuple[str, ...]
    args: tuple[str, ...] = ()
    post: dict[str, str] | None = None


ANYBODY = (YES, YES, YES, YES, YES, YES, YES)
SIGNED_IN = (SIGN_IN, YES, YES, YES, YES, YES, YES)
MEMBERS = (SIGN_IN, YES, YES, YES, YES, NO, YES)
OWNER_AND_TEACHERS = (SIGN_IN, YES, NO, YES, YES, NO, YES)
OWNER = (SIGN_IN, YES, NO, NO, NO, NO, NO)
TEACHERS = (SIGN_IN, NO, NO, YES, YES, NO, YES)
MANAGERS = (SIGN_IN, NO, NO, NO, YES, NO, YES)

ROWS: dict[str, Row] = {
    "healthz": Row(ANYBODY),
    "admin_sign_in": Row(ANYBODY),
    "courses:home": Row(SIGNED_IN),
    "courses:sign_in": Row(ANYBODY),
    "courses:sign_in_again": Row(ANYBODY),
    "courses:sign_out": Row(ANYBODY, post={}),
    "courses:password": Row(SIGNED_IN),
    "courses:password_done": Row(SIGNED_IN),
    "courses:password_reset_confirm": Row(ANYBODY, ("uid", "token")),
    "courses:accept": Row(ANYBODY, ("invitation_token",)),
    "courses:join": Row(SIGNED_IN, post={"code": "JOIN-US"}),
    "courses:quiz": Row(MEMBERS, ("quiz_item",)),
    "courses:quiz_attempt": Row(OWNER_AND_TEACHERS, ("attempt",)),
    "courses:leave": Row(MANAGERS, ("enrolment",), post={}),
    "courses:reset_link": Row(MANAGERS, ("enrolment",), post={}),
    "courses:withdraw": Row(MANAGERS, ("invitation",), post={}),
    "courses:withdraw_request": Row(MANAGERS, ("request",), post={}),
    "courses:answer_request": Row(OWNER, ("request",), post={"answer": "yes"}),
    "courses:course": Row(MEMBERS, ("course",)),
    "courses:progress": Row(MEMBERS, ("course",)),
    "courses:gradebook": Row(TEACHERS, ("course",)),
    "courses:gradebook_csv": Row(TEACHERS, ("course",)),
    "courses:roster": Row(MANAGERS, ("course",)),
    "courses:invite": Row(MANAGERS, ("course",), post={"role": "learner"}),
    "courses:module": Row(MEMBERS, ("course", "module")),
    "courses:lesson": Row(MEMBERS, ("course", "module", "lesson")),
    "grader:exercise": Row(MEMBERS, ("exercise_item",)),
    "grader:submit": Row(MEMBERS, ("exercise_item",), post={"kind": "sample", "source": "x = 1", "key": KEY}),
    "grader:history": Row(OWNER_AND_TEACHERS, ("exercise_item", "learner")),
    "grader:submission": Row(OWNER_AND_TEACHERS, ("submission",)),
    "grader:live": Row(OWNER_AND_TEACHERS, ("submission",)),
    "grader:mistakes": Row(OWNER_AND_TEACHERS, ("submission",)),
    "grader:regrade": Row(TEACHERS, ("submission",), post={}),
    "grader:report": Row(OWNER, ("submission",), post={"text": "The statement is unclear."}),
    "grader:hold": Row(MANAGERS, ("exercise_item",), post={"held": "1"}),
    "grader:settle": Row(TEACHERS, ("problem",), post={}),
    "grader:inbox": Row(TEACHERS, ("course",)),
}


def addresses() -> Iterator[str]:
    """The name of every address of this site. Django's admin guards itself in one place: see the last test."""
    yield from _walk(get_resolver(), "")


def _walk(resolver: URLResolver, prefix: str) -> Iterator[str]:
    for pattern in resolver.url_patterns:
        if isinstance(pattern, URLPattern):
            yield f"{prefix}{pattern.name or pattern.pattern}"
        elif pattern.namespace != "admin":
            yield from _walk(pattern, f"{pattern.namespace}:" if pattern.namespace else prefix)


def test_every_address_has_a_row() -> None:
    assert sorted(addresses()) == sorted(ROWS)


@pytest.fixture
def things(
    course: Course,
    lesson: Lesson,
    quiz_item: Item,
    exercise_item: Item,
    learner: User,
    classmate: User,
    instructor: User,
    take_quiz: TakeQuiz,
    hand_in: HandIn,
) -> dict[str, Any]:
    submission = hand_in(exercise_item, learner)
    people.enrol_by_name(username="newcomer", course=course, role=Role.ASSISTANT, by=instructor)
    request = EnrolmentRequest.objects.get()
    EnrolmentRequest.objects.update(user=learner)
    invitation = people.invite(course=course, by=instructor, role=Role.LEARNER, note="")
    return {
        "course": course.slug,
        "module": lesson.module.number,
        "lesson": lesson.slug,
        "quiz_item": quiz_item.pk,
        "exercise_item": exercise_item.pk,
        "learner": learner.pk,
        "attempt": take_quiz(quiz_item, learner).pk,
        "submission": submission.pk,
        "problem": problems.report(submission=submission, text="Unclear.").pk,
        "enrolment": Enrolment.objects.get(user=learner).pk,
        "invitation": invitation.pk,
        "request": request.pk,
        "invitation_token": invitation.token,
        "uid": urlsafe_base64_encode(force_bytes(learner.pk)),
        "token": people.reset_links.make_token(learner),
    }


@pytest.mark.parametrize("name", ROWS)
def test_each_person_gets_what_is_theirs(
    name: str, things: dict[str, Any], sign_in: SignIn, request: pytest.FixtureRequest
) -> None:
    row = ROWS[name]
    url = reverse(name, args=[things[arg] for arg in row.args])
    clients = {who: Client() if who == "anonymous" else sign_in(request.getfixturevalue(who)) for who in CAST}
    assert {who: ask(client, url, row.post) for who, client in clients.items()} == dict(
        zip(CAST, row.answers, strict=True)
    )


def ask(client: Client, url: str, post: dict[str, str] | None) -> str:
    """What the page answers; what it changed is undone, so that everybody meets the same things."""
    with transaction.atomic():
        answered = answer(client.get(url) if post is None else client.post(url, post))
        transaction.set_rollback(True)
    return answered


def answer(response: Any) -> str:
    if response.status_code == 403 and 'name="password"' in response.content.decode():
        return SIGN_IN  # and takes the work along that was sent
    if response.status_code in (403, 404):
        return NO
    if response.status_code == 302 and response["Location"].startswith(f"{reverse('courses:sign_in')}?next="):
        return SIGN_IN
    assert response.status_code in (200, 302), response.status_code
    return YES


@pytest.mark.parametrize("who", CAST)
def test_the_admin_is_for_admins(
    who: str, things: dict[str, Any], sign_in: SignIn, request: pytest.FixtureRequest
) -> None:
    client = Client() if who == "anonymous" else sign_in(request.getfixturevalue(who))
    lists = [f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist" for model in admin_site._registry]
    for page in ("admin:index", "admin:courses_question_add", "admin:courses_item_add", *lists):
        response = client.get(reverse(page))
        assert (response.status_code == 200) == (who == "admin"), page


@pytest.mark.parametrize("who", ["classmate", "assistant", "outsider"])
def test_a_sample_run_is_as_private_as_a_submission(
    who: str, exercise_item: Item, learner: User, hand_in: HandIn, sign_in: SignIn, request: pytest.FixtureRequest
) -> None:
    run = hand_in(exercise_item, learner, judged="", kind=Kind.SAMPLE)
    client = sign_in(request.getfixturevalue(who))
    allowed = who == "assistant"
    assert (client.get(reverse("grader:submission", args=[run.pk])).status_code == 200) == allowed


def test_who_left_the_course_reads_nothing_of_it(things: dict[str, Any], learner: User, sign_in: SignIn) -> None:
    Enrolment.objects.filter(user=learner).delete()
    client = sign_in(learner)
    for name in ("courses:lesson", "grader:submission", "courses:quiz_attempt"):
        url = reverse(name, args=[things[arg] for arg in ROWS[name].args])
        assert client.get(url).status_code == 404


def test_who_is_only_asked_gets_nowhere_and_is_in_no_list(
    things: dict[str, Any], course: Course, outsider: User, instructor: User, sign_in: SignIn
) -> None:
    people.enrol_by_name(username="outsider", course=course, role=Role.INSTRUCTOR, by=instructor)
    asked = sign_in(outsider)
    for name, row in ROWS.items():
        if row.answers in (MEMBERS, TEACHERS, MANAGERS, OWNER_AND_TEACHERS, OWNER):
            url = reverse(name, args=[things[arg] for arg in row.args])
            assert ask(asked, url, row.post) == NO, name
    for page in ("courses:gradebook", "courses:gradebook_csv", "courses:roster"):
        shown = sign_in(instructor).get(reverse(page, args=[course.slug])).content.decode()
        assert "Outsider" not in shown  # the first name; of a request, teachers see what they typed


@pytest.mark.parametrize("who", ["classmate", "assistant", "instructor", "outsider", "admin"])
def test_nobody_answers_for_somebody_else_nor_for_nobody(
    who: str, things: dict[str, Any], sign_in: SignIn, request: pytest.FixtureRequest
) -> None:
    client = sign_in(request.getfixturevalue(who))
    for asked in ("learner", None):
        EnrolmentRequest.objects.update(user=User.objects.filter(username=asked).first())
        response = client.post(reverse("courses:answer_request", args=[things["request"]]), {"answer": "yes"})
        assert response.status_code == 404
