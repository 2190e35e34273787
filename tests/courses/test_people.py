from __future__ import annotations

import io

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from pytest_django.fixtures import Settings

from courses import access, people
from courses.models import Course, Enrolment, Role


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
