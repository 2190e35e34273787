"""Nobody is enrolled by their name without a yes, and until then teachers learn nothing about them."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from courses import access, people
from courses.models import Course, Enrolment, EnrolmentRequest, Role
from tests.conftest import SignIn

Ask = Callable[..., str]


@pytest.fixture
def roster(course: Course) -> str:
    return reverse("courses:roster", args=[course.slug])


@pytest.fixture
def ask(instructor: User, roster: str, sign_in: SignIn) -> Ask:
    """What the instructor's page says after they have typed a name."""

    def asked(name: str, role: str = "learner") -> str:
        return sign_in(instructor).post(roster, {"username": name, "role": role}, follow=True).content.decode()

    return asked


def respond(client: Client, answer: str) -> str:
    """Press the button on the home page, and return the page that follows."""
    page = client.get(reverse("courses:home")).content.decode()
    found = re.search(r'action="(/people/requests/\d+/answer/)"', page)
    assert found, page
    return client.post(found[1], {"answer": answer}, follow=True).content.decode()


def role_of(user: User, course: Course) -> str | None:
    return Enrolment.objects.filter(user=user, course=course).values_list("role", flat=True).first()


def test_a_yes_enrols_with_the_role_that_was_asked_for(
    course: Course, outsider: User, instructor: User, ask: Ask, roster: str, sign_in: SignIn
) -> None:
    ask("Outsider", "assistant")
    assert role_of(outsider, course) is None
    client = sign_in(outsider)
    home = client.get(reverse("courses:home")).content.decode()
    assert "Instructor wants to enrol you as assistant." in home
    assert "Welcome to Transformers." in respond(client, "yes")
    assert role_of(outsider, course) == Role.ASSISTANT
    assert "Waiting for an answer" not in sign_in(instructor).get(roster).content.decode()
    assert "Join Transformers?" not in client.get(reverse("courses:home")).content.decode()


@pytest.mark.parametrize("answer", ["no", "", "YES"])
def test_all_but_a_yes_is_a_no(course: Course, outsider: User, ask: Ask, sign_in: SignIn, answer: str) -> None:
    ask("outsider")
    client = sign_in(outsider)
    assert "You said no" in respond(client, answer)
    assert role_of(outsider, course) is None
    assert "Join Transformers?" not in client.get(reverse("courses:home")).content.decode()


def test_teachers_see_what_they_typed_whether_or_not_there_is_such_a_person_and_what_they_answered(
    course: Course, outsider: User, admin: User, instructor: User, ask: Ask, roster: str, sign_in: SignIn
) -> None:
    """One oracle after another: existing, missing, shut out, having said no, and asked again after that."""
    User.objects.create_user("asleep", first_name="Outsider", is_active=False)

    def seen(name: str, page: str) -> str:
        page = page.replace(f"“{name}”", "“NAME”").replace(f"request to {name}", "request to NAME")
        page = re.sub(r"/people/requests/\d+/", "", page)
        return re.sub(r'name="csrfmiddlewaretoken" value="\w+"', "", page)

    pages = set()
    for name in ("outsider", "nobody", "asleep", "admin"):
        pages.add(seen(name, ask(name)))
        if name == "outsider":
            respond(sign_in(outsider), "no")
            pages.add(seen(name, ask(name)))
        request = EnrolmentRequest.objects.get(name=name)
        client = sign_in(instructor)
        pages.add(seen(name, client.get(roster).content.decode()))
        page = client.post(reverse("courses:withdraw_request", args=[request.pk]), follow=True).content.decode()
        pages.add(seen(name, page))
    assert len(pages) == 3  # with the note that it was asked, without it, and withdrawn
    assert not any("Outsider" in page for page in pages)


def test_a_withdrawn_request_can_no_longer_be_answered(
    course: Course, outsider: User, instructor: User, ask: Ask, sign_in: SignIn
) -> None:
    ask("outsider")
    request = EnrolmentRequest.objects.get()
    sign_in(instructor).post(reverse("courses:withdraw_request", args=[request.pk]))
    client = sign_in(outsider)
    assert "Join Transformers?" not in client.get(reverse("courses:home")).content.decode()
    page = client.post(reverse("courses:answer_request", args=[request.pk]), {"answer": "yes"}, follow=True)
    assert "was withdrawn" in page.content.decode()
    assert role_of(outsider, course) is None


def test_a_request_ends_after_two_weeks(course: Course, outsider: User, ask: Ask, sign_in: SignIn) -> None:
    ask("outsider")
    EnrolmentRequest.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    client = sign_in(outsider)
    assert "Join Transformers?" not in client.get(reverse("courses:home")).content.decode()
    client.post(reverse("courses:answer_request", args=[EnrolmentRequest.objects.get().pk]), {"answer": "yes"})
    assert role_of(outsider, course) is None
    ask("outsider")
    respond(client, "yes")
    assert role_of(outsider, course) == Role.LEARNER


def test_who_said_no_is_left_in_peace_for_two_weeks(course: Course, outsider: User, ask: Ask, sign_in: SignIn) -> None:
    ask("outsider")
    client = sign_in(outsider)
    respond(client, "no")
    ask("outsider", "instructor")
    assert "Join Transformers?" not in client.get(reverse("courses:home")).content.decode()
    EnrolmentRequest.objects.update(answered_at=timezone.now() - people.INVITATION_LIFETIME - timedelta(seconds=1))
    ask("outsider")
    assert "Join Transformers?" in client.get(reverse("courses:home")).content.decode()


def test_whoever_takes_a_name_later_is_not_who_was_asked(course: Course, ask: Ask, sign_in: SignIn) -> None:
    ask("ada", "instructor")
    ada = User.objects.create_user("ada")
    assert "Join Transformers?" not in sign_in(ada).get(reverse("courses:home")).content.decode()
    ask("ada")  # but somebody who asks again means who is there now
    assert "as learner" in sign_in(ada).get(reverse("courses:home")).content.decode()


def test_a_yes_cannot_be_used_again_after_being_removed(
    course: Course, outsider: User, ask: Ask, sign_in: SignIn
) -> None:
    ask("outsider")
    client, url = sign_in(outsider), reverse("courses:answer_request", args=[EnrolmentRequest.objects.get().pk])
    for _ in range(2):  # a double click
        assert client.post(url, {"answer": "yes"})["Location"] == course.get_absolute_url()
    Enrolment.objects.filter(user=outsider, course=course).delete()
    assert "answered already" in client.post(url, {"answer": "yes"}, follow=True).content.decode()
    assert role_of(outsider, course) is None


def test_who_joins_in_another_way_has_answered(
    course: Course, outsider: User, instructor: User, ask: Ask, roster: str, sign_in: SignIn
) -> None:
    ask("outsider")
    people.join_by_code(user=outsider, code="JOIN-US")
    assert "Join Transformers?" not in sign_in(outsider).get(reverse("courses:home")).content.decode()
    assert "Waiting for an answer" not in sign_in(instructor).get(roster).content.decode()


def test_a_yes_lowers_no_role(course: Course, outsider: User, instructor: User) -> None:
    people.enrol_by_name(username="outsider", course=course, role=Role.LEARNER, by=instructor)
    Enrolment.objects.create(user=outsider, course=course, role=Role.ASSISTANT)
    people.answer(request=EnrolmentRequest.objects.get().pk, user=outsider, yes=True)
    assert role_of(outsider, course) == Role.ASSISTANT


def test_a_course_asks_for_a_bounded_number_of_names(course: Course, ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(people, "MOST_REQUESTS", 2)
    ask("one")
    ask("two")
    assert "Invite more with a link" in ask("three")
    ask("TWO")
    assert EnrolmentRequest.objects.count() == 2
    EnrolmentRequest.objects.update(expires_at=timezone.now())
    ask("three")
    assert EnrolmentRequest.objects.get().name == "three"


@pytest.mark.parametrize("name", ["\0", "x" * 151])
def test_what_no_name_can_be_is_refused(course: Course, ask: Ask, name: str) -> None:
    assert "field-error" in ask(name)
    assert not EnrolmentRequest.objects.exists()


def test_a_name_that_grows_when_it_is_folded_is_kept_as_far_as_it_fits(course: Course, ask: Ask) -> None:
    assert "Waiting for an answer" in ask("ﷺ" * 150)


@pytest.mark.django_db(transaction=True)
def test_a_yes_and_a_withdrawal_at_once_end_in_one_of_the_two(course: Course, outsider: User, instructor: User) -> None:
    people.enrol_by_name(username="outsider", course=course, role=Role.LEARNER, by=instructor)
    request = EnrolmentRequest.objects.get().pk
    together, outcomes = threading.Barrier(4), list[str]()

    def say_yes() -> None:
        together.wait()
        try:
            people.answer(request=request, user=outsider, yes=True)
            outcomes.append("enrolled")
        except people.CannotEnrol:
            outcomes.append("refused")
        finally:
            connection.close()

    threads = [threading.Thread(target=say_yes) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert outcomes == ["enrolled"] * 4
    assert Enrolment.objects.filter(user=outsider, course=course).count() == 1


def test_only_whose_every_course_is_ones_own_gets_a_link_from_a_teacher(
    course: Course, learner: User, classmate: User, instructor: User, admin: User, sign_in: SignIn
) -> None:
    """The attack: enrol somebody who learns elsewhere, make a link, be them there."""
    other = Course.objects.create(slug="poetry", title="Poetry")
    people.enrol(user=learner, course=other)
    enrolment = Enrolment.objects.get(user=learner, course=course)
    url = reverse("courses:reset_link", args=[enrolment.pk])
    assert sign_in(instructor).post(url).status_code == 404
    assert set(access.resettable(instructor)) == {classmate}
    page = sign_in(instructor).get(reverse("courses:roster", args=[course.slug])).content.decode()
    assert ("Reset password of classmate" in page, "Reset password of learner" in page) == (True, False)
    assert "/password/reset/" in sign_in(admin).post(url).content.decode()
    people.enrol(user=instructor, course=other, role=Role.ASSISTANT)
    assert learner not in access.resettable(instructor)  # to teach there is not to manage it
    people.enrol(user=instructor, course=other, role=Role.INSTRUCTOR)
    assert learner in access.resettable(instructor)


def test_a_colleague_who_is_made_a_learner_does_not_become_resettable(
    course: Course, learner: User, assistant: User, instructor: User, admin: User
) -> None:
    for person in (assistant, learner):
        people.enrol(user=person, course=course, role=Role.INSTRUCTOR)
        people.enrol(user=person, course=course, role=Role.LEARNER)
    assert not access.resettable(instructor).exists()
    assert set(access.resettable(admin)) == {learner, assistant}


def test_a_colleague_who_is_removed_does_not_become_resettable_where_they_learn(
    course: Course, learner: User, assistant: User, instructor: User, sign_in: SignIn
) -> None:
    other = Course.objects.create(slug="poetry", title="Poetry")
    for person, role in ((instructor, Role.INSTRUCTOR), (assistant, Role.LEARNER), (learner, Role.LEARNER)):
        people.enrol(user=person, course=other, role=role)
    for person in (assistant, learner):
        removed = Enrolment.objects.get(user=person, course=course)
        assert sign_in(instructor).post(reverse("courses:leave", args=[removed.pk])).status_code == 302
    assert set(access.resettable(instructor)) == {learner}


@pytest.mark.parametrize("change", ["course", "role", "staff", "manager"])
def test_a_link_ends_when_what_a_teacher_may_reset_changes(
    course: Course, learner: User, instructor: User, assistant: User, client: Client, change: str
) -> None:
    """A teacher makes a link today and keeps it for the day when the account is worth more."""
    path = people.reset_path(learner)
    assert "no longer works" not in client.get(path, follow=True).content.decode()
    if change == "course":
        people.enrol(user=learner, course=Course.objects.create(slug="poetry", title="Poetry"))
    if change == "role":
        people.enrol(user=learner, course=course, role=Role.ASSISTANT)
    if change == "staff":
        User.objects.filter(pk=learner.pk).update(is_staff=True)
    if change == "manager":
        Enrolment.objects.filter(user=instructor).delete()
    assert "no longer works" in Client().get(path, follow=True).content.decode()
