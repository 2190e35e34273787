from __future__ import annotations

import html
import io
import threading

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client
from django.urls import reverse
from pytest_django.fixtures import Settings

from courses import access, people, usernames
from courses.models import Course, Enrolment, Invitation, Role

PASSWORD = "a long enough pass phrase"


def role_of(user: User, course: Course) -> str:
    return Enrolment.objects.get(user=user, course=course).role


def test_a_code_enrols_as_learner_and_never_lowers_a_role(course: Course, outsider: User, instructor: User) -> None:
    people.join_by_code(user=outsider, code=" JOIN-US ")
    people.join_by_code(user=instructor, code="JOIN-US")
    assert role_of(outsider, course) == Role.LEARNER
    assert role_of(instructor, course) == Role.INSTRUCTOR


@pytest.mark.parametrize("code", ["", " ", "join-us", "other"])
def test_a_wrong_or_empty_code_opens_nothing(course: Course, outsider: User, code: str) -> None:
    Course.objects.create(slug="closed", title="Closed", enrolment_code="")
    with pytest.raises(people.CannotEnrol):
        people.join_by_code(user=outsider, code=code)
    assert Enrolment.objects.filter(user=outsider).count() == 1


def test_an_invitation_works_once(course: Course, instructor: User, outsider: User, admin: User) -> None:
    invitation = people.invite(course=course, by=instructor, role=Role.ASSISTANT, note="")
    people.accept(token=invitation.token, user=outsider)
    assert role_of(outsider, course) == Role.ASSISTANT
    with pytest.raises(people.CannotEnrol):
        people.accept(token=invitation.token, user=admin)


def test_an_invitation_never_lowers_a_role(course: Course, instructor: User) -> None:
    invitation = people.invite(course=course, by=instructor, role=Role.LEARNER, note="")
    people.accept(token=invitation.token, user=instructor)
    assert role_of(instructor, course) == Role.INSTRUCTOR


def test_only_plain_learners_of_ones_courses_can_be_reset(
    course: Course, learner: User, classmate: User, assistant: User, instructor: User, outsider: User, admin: User
) -> None:
    people.enrol(user=outsider, course=course)  # a learner here, an instructor elsewhere
    people.enrol(user=admin, course=course)
    assert set(access.resettable(instructor)) == {learner, classmate}
    assert not access.resettable(assistant).exists()
    assert not access.resettable(learner).exists()
    assert not access.resettable(outsider).exists()


@pytest.mark.parametrize("power", ["is_staff", "is_superuser"])
def test_a_learner_who_administers_anything_cannot_be_reset_nor_one_who_is_shut_out(
    course: Course, learner: User, classmate: User, instructor: User, power: str
) -> None:
    User.objects.filter(pk=learner.pk).update(**{power: True})
    User.objects.filter(pk=classmate.pk).update(is_active=False)
    assert not access.resettable(instructor).exists()


def test_demo_people_exist_only_where_they_may(course: Course, settings: Settings) -> None:
    settings.DEMO = False
    with pytest.raises(CommandError, match="GRADUS_DEMO"):
        call_command("create_demo_people")
    assert not User.objects.exists()


def test_demo_people_can_sign_in_with_what_is_printed(course: Course, settings: Settings) -> None:
    settings.DEMO = True
    first, second = io.StringIO(), io.StringIO()
    call_command("create_demo_people", stdout=first)
    call_command("create_demo_people", stdout=second)
    assert first.getvalue() == second.getvalue()
    for name, password in (line.split() for line in first.getvalue().splitlines()):
        assert User.objects.get(username=name).check_password(password)
    assert role_of(User.objects.get(username="instructor"), course) == Role.INSTRUCTOR
    assert User.objects.get(username="admin").is_superuser


def test_a_changed_demo_password_is_not_undone(course: Course, settings: Settings) -> None:
    settings.DEMO = True
    call_command("create_demo_people", stdout=io.StringIO())
    user = User.objects.get(username="learner")
    user.set_password("mine now")
    user.save()
    again = io.StringIO()
    call_command("create_demo_people", stdout=again)
    user.refresh_from_db()
    assert user.check_password("mine now")
    assert "the password you chose" in again.getvalue()


def test_demo_people_join_courses_that_come_later_and_keep_the_role_they_have(
    course: Course, settings: Settings
) -> None:
    settings.DEMO = True
    call_command("create_demo_people", stdout=io.StringIO())
    user = User.objects.get(username="learner")
    people.enrol(user=user, course=course, role=Role.ASSISTANT)
    later = Course.objects.create(slug="later", title="Later")
    call_command("create_demo_people", stdout=io.StringIO())
    assert (role_of(user, course), role_of(user, later)) == (Role.ASSISTANT, Role.LEARNER)
    assert role_of(User.objects.get(username="instructor"), later) == Role.INSTRUCTOR
    assert not Enrolment.objects.filter(user__username="admin").exists()


def sign_up_at_once(urls_and_names: list[tuple[str, str]]) -> list[tuple[int, str]]:
    """Everybody sends their form in the same moment: each one's status and page."""
    together, pages = threading.Barrier(len(urls_and_names)), list[tuple[int, str]]()

    def send(url: str, name: str) -> None:
        client = Client()
        client.get(url)
        together.wait()
        try:
            response = client.post(url, {"username": name, "password1": PASSWORD, "password2": PASSWORD})
            pages.append((response.status_code, response.content.decode()))
        finally:
            connection.close()

    threads = [threading.Thread(target=send, args=pair) for pair in urls_and_names]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sorted(pages)


@pytest.mark.parametrize("names", [("ada", "bob", "eve"), ("ada", "ada", "ada")])
@pytest.mark.django_db(transaction=True)
def test_an_invitation_used_by_several_at_once_is_one_account_and_a_clear_page(
    course: Course, instructor: User, names: tuple[str, ...]
) -> None:
    invitation = people.invite(course=course, by=instructor, role=Role.LEARNER, note="")
    url = reverse("courses:accept", args=[invitation.token])
    pages = sign_up_at_once([(url, name) for name in names])
    assert [status for status, _ in pages] == [302, 404, 404]
    assert all("This invitation no longer works" in page for status, page in pages if status == 404)
    made = User.objects.exclude(pk=instructor.pk)
    assert [enrolment.user for enrolment in Enrolment.objects.filter(course=course).learners()] == [made.get()]


@pytest.mark.django_db(transaction=True)
def test_a_name_taken_by_several_at_once_is_one_account_and_the_others_keep_their_invitations(
    course: Course, instructor: User
) -> None:
    invitations = [people.invite(course=course, by=instructor, role=Role.LEARNER, note="") for _ in range(3)]
    urls = [reverse("courses:accept", args=[invitation.token]) for invitation in invitations]
    pages = sign_up_at_once([*zip(urls, ("ada", "Ada", "ADA"), strict=True)])
    assert [status for status, _ in pages] == [200, 200, 302]
    assert all(usernames.TAKEN in html.unescape(page) for status, page in pages if status == 200)
    assert User.objects.exclude(pk=instructor.pk).get().username == "ada"
    assert Invitation.objects.filter(accepted_by=None).count() == 2


@pytest.mark.django_db(transaction=True)
def test_an_invitation_used_twice_at_once_by_people_with_accounts_enrols_one(
    course: Course, instructor: User, outsider: User, admin: User
) -> None:
    invitation = people.invite(course=course, by=instructor, role=Role.LEARNER, note="")
    together, outcomes = threading.Barrier(2), list[str]()

    def accept(user: User) -> None:
        together.wait()
        try:
            people.accept(token=invitation.token, user=user)
            outcomes.append("enrolled")
        except people.CannotEnrol:
            outcomes.append("refused")
        finally:
            connection.close()

    threads = [threading.Thread(target=accept, args=[user]) for user in (outsider, admin)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(outcomes) == ["enrolled", "refused"]
    assert Enrolment.objects.filter(course=course).learners().count() == 1
