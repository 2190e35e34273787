from __future__ import annotations

import re

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from pytest_django.fixtures import DjangoAssertNumQueries

from courses.models import Course, Enrolment, Invitation, Item, Role
from tests.conftest import Crowd, SignIn

PASSWORD = "a long enough pass phrase"


def test_a_reset_link_lets_a_learner_choose_a_password_once(
    course: Course, learner: User, instructor: User, sign_in: SignIn, client: Client
) -> None:
    enrolment = Enrolment.objects.get(user=learner)
    page = sign_in(instructor).post(reverse("courses:reset_link", args=[enrolment.pk])).content.decode()
    found = re.search(r'value="http://testserver(/password/reset/[^"]+)"', page)
    assert found
    form = client.get(found[1], follow=True).redirect_chain[-1][0]
    client.post(form, {"new_password1": PASSWORD, "new_password2": PASSWORD})
    learner.refresh_from_db()
    assert learner.check_password(PASSWORD)
    assert "no longer works" in Client().get(found[1], follow=True).content.decode()


def test_who_teaches_elsewhere_cannot_be_reset(
    course: Course, outsider: User, instructor: User, sign_in: SignIn
) -> None:
    enrolment = Enrolment.objects.create(user=outsider, course=course, role=Role.LEARNER)
    response = sign_in(instructor).post(reverse("courses:reset_link", args=[enrolment.pk]))
    assert response.status_code == 404


def test_the_role_of_who_is_enrolled_changes_at_once(
    course: Course, learner: User, instructor: User, sign_in: SignIn
) -> None:
    client, url = sign_in(instructor), reverse("courses:roster", args=[course.slug])
    page = client.post(url, {"username": "Learner", "role": "assistant"}, follow=True).content.decode()
    assert "learner is now assistant here." in page
    assert Enrolment.objects.get(user=learner, course=course).role == Role.ASSISTANT


def test_an_invitation_makes_an_account_in_the_course(
    course: Course, instructor: User, sign_in: SignIn, client: Client
) -> None:
    sign_in(instructor).post(reverse("courses:invite", args=[course.slug]), {"role": "learner", "note": "Ada"})
    url = reverse("courses:accept", args=[Invitation.objects.get().token])
    weak = client.post(url, {"username": "ada", "password1": "1234", "password2": "1234"})
    assert "too short" in weak.content.decode()
    client.post(url, {"username": "ada", "password1": PASSWORD, "password2": PASSWORD})
    assert client.get(course.get_absolute_url()).status_code == 200
    assert Client().get(url).status_code == 404


def test_a_forged_role_is_refused(course: Course, instructor: User, sign_in: SignIn) -> None:
    response = sign_in(instructor).post(reverse("courses:invite", args=[course.slug]), {"role": "admin"})
    assert response.status_code == 422
    assert not Invitation.objects.exists()


def test_leaving_keeps_accounts_and_never_removes_oneself(
    course: Course, learner: User, instructor: User, sign_in: SignIn
) -> None:
    client = sign_in(instructor)
    for user in (learner, instructor):
        client.post(reverse("courses:leave", args=[Enrolment.objects.get(user=user).pk]))
    assert [one.user for one in Enrolment.objects.filter(course=course)] == [instructor]
    assert User.objects.filter(username="learner").exists()


def test_progress_shows_ones_own_marks_only(course: Course, learner: User, sign_in: SignIn) -> None:
    page = sign_in(learner).get(reverse("courses:progress", args=[course.slug])).content.decode()
    assert "Nothing to hand in yet" in page


def test_csv_is_an_attachment(course: Course, learner: User, instructor: User, sign_in: SignIn) -> None:
    response = sign_in(instructor).get(reverse("courses:gradebook_csv", args=[course.slug]))
    assert response["Content-Disposition"].startswith('attachment; filename="transformers-gradebook-')
    assert "learner" in response.content.decode()


@pytest.mark.parametrize("size", [10, 500])
def test_the_gradebook_page_needs_a_constant_number_of_queries(
    course: Course, quiz_item: Item, exercise_item: Item, instructor: User, sign_in: SignIn, crowd: Crowd, size: int,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:  # fmt: skip
    crowd(course, size)
    client = sign_in(instructor)
    with django_assert_num_queries(7):
        page = client.get(reverse("courses:gradebook", args=[course.slug])).content.decode()
    assert page.count('class="mark-link') == 2 * size


@pytest.mark.parametrize("token", ["a%00b", "x" * 3000, "é"])
def test_what_is_no_invitation_at_all_is_told_so(client: Client, db: None, token: str) -> None:
    assert client.get(f"/invitations/{token}/").status_code == 404
