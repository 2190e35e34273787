"""`LEARNER` beside `learner` cannot be made in any way, and people sign in however they type their name."""

from __future__ import annotations

import io
import logging
import threading
from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.core.management import CommandError, call_command
from django.db import IntegrityError, connection
from django.db.migrations.executor import MigrationExecutor
from django.test import Client
from django.urls import reverse

from courses import people, usernames
from courses.models import Course, Role
from tests.conftest import SignIn

PASSWORD = "a long enough pass phrase"
ALIKE = ["LEARNER", "Learner", "ｌｅａｒｎｅｒ", "learneR"]  # the third in full-width letters, which NFKC folds


def passwords(name: str) -> dict[str, str]:
    return {"username": name, "password1": PASSWORD, "password2": PASSWORD, "usable_password": "true"}


def names() -> set[str]:
    return set(User.objects.values_list("username", flat=True))


@pytest.mark.parametrize("name", ALIKE)
def test_an_invitation_makes_no_second_learner(
    course: Course, learner: User, instructor: User, name: str, client: Client
) -> None:
    invitation = people.invite(course=course, by=instructor, role=Role.LEARNER, note="")
    page = client.post(reverse("courses:accept", args=[invitation.token]), passwords(name))
    assert usernames.TAKEN in page.content.decode()
    assert names() == {"learner", "instructor"}
    invitation.refresh_from_db()
    assert invitation.accepted_by is None


@pytest.mark.parametrize("name", ALIKE)
def test_the_admin_makes_none_and_renames_nobody_to_one(
    course: Course, learner: User, classmate: User, admin: User, name: str, sign_in: SignIn
) -> None:
    client = sign_in(admin)
    page = client.post(reverse("admin:auth_user_add"), passwords(name)).content.decode()
    assert usernames.TAKEN in page
    data = {"username": name, "date_joined_0": "2026-01-01", "date_joined_1": "10:00", "is_active": "on"}
    page = client.post(reverse("admin:auth_user_change", args=[classmate.pk]), data).content.decode()
    assert usernames.TAKEN in page
    assert names() == {"learner", "classmate", "admin"}


def test_the_admin_makes_and_renames_others(course: Course, classmate: User, admin: User, sign_in: SignIn) -> None:
    client = sign_in(admin)
    client.post(reverse("admin:auth_user_add"), passwords("Ada"))
    data = {"username": "Bob", "date_joined_0": "2026-01-01", "date_joined_1": "10:00", "is_active": "on"}
    client.post(reverse("admin:auth_user_change", args=[classmate.pk]), data)
    assert names() == {"ada", "bob", "admin"}


@pytest.mark.parametrize("name", ALIKE)
def test_createsuperuser_makes_none_and_says_why(learner: User, name: str) -> None:
    with pytest.raises(CommandError, match="Somebody has this username already"):
        call_command("createsuperuser", username=name, email="", interactive=False, stdout=io.StringIO())
    assert names() == {"learner"}


@pytest.mark.parametrize("name", ALIKE)
def test_code_makes_none_and_renames_nobody_to_one(learner: User, classmate: User, name: str) -> None:
    with pytest.raises(ValidationError):
        User.objects.create_user(name)
    classmate.username = name
    with pytest.raises(ValidationError):
        classmate.save()


def test_a_name_that_no_username_may_be_after_folding_is_refused(
    course: Course, instructor: User, client: Client
) -> None:
    invitation = people.invite(course=course, by=instructor, role=Role.LEARNER, note="")
    page = client.post(reverse("courses:accept", args=[invitation.token]), passwords("İpek"))
    assert "Enter a valid username" in page.content.decode()


@pytest.mark.parametrize("typed", ["learner", *ALIKE, " learner "])
@pytest.mark.parametrize("page", ["courses:sign_in", "admin:login"])
def test_people_sign_in_however_they_type_their_name(learner: User, client: Client, typed: str, page: str) -> None:
    learner.is_staff = True
    learner.set_password(PASSWORD)
    learner.save()
    client.post(reverse(page), {"username": typed, "password": PASSWORD})
    assert client.session["_auth_user_id"] == str(learner.pk)


@pytest.fixture
def before_and_after(transactional_db: None, caplog: pytest.LogCaptureFixture) -> Any:
    """Runs the migration on these names, and returns what each became."""

    def migrate(*older: str) -> list[str]:
        executor = MigrationExecutor(connection)
        executor.migrate([("courses", "0002_parts_of_a_lesson")])
        users = User.objects.bulk_create(User(username=name) for name in older)
        executor = MigrationExecutor(connection)
        with caplog.at_level(logging.WARNING, "courses"):
            executor.migrate(executor.loader.graph.leaf_nodes())
        return [User.objects.get(pk=user.pk).username for user in users]

    yield migrate
    MigrationExecutor(connection).migrate(MigrationExecutor(connection).loader.graph.leaf_nodes())


@pytest.mark.django_db(transaction=True)
def test_older_names_are_folded_and_those_alike_are_left_and_named(
    before_and_after: Callable[..., list[str]], caplog: pytest.LogCaptureFixture
) -> None:
    folded = before_and_after("Ada", "LEARNER", "learner", "Bob", "BOB", "eve")
    assert folded == ["ada", "LEARNER", "learner", "bob", "BOB", "eve"]
    assert [name for name in ("LEARNER", "BOB", "Ada", "eve") if repr(name) in caplog.text] == ["LEARNER", "BOB"]


def test_of_two_older_names_each_signs_in_by_its_exact_spelling_and_can_still_be_saved(db: None) -> None:
    small, large = User.objects.bulk_create([User(username="learner"), User(username="LEARNER")])
    assert [usernames.find(typed) for typed in ("learner", "LEARNER", "Learner")] == [small, large, small]
    for person in (small, large):
        person.set_password(PASSWORD)
        person.save()
        client = Client()
        client.post(reverse("courses:sign_in"), {"username": person.username, "password": PASSWORD})
        assert client.session["_auth_user_id"] == str(person.pk)


@pytest.mark.django_db(transaction=True)
def test_two_people_who_take_alike_names_at_once_are_one_account() -> None:
    together, outcomes = threading.Barrier(4), list[str]()

    def create(name: str) -> None:
        together.wait()
        try:
            User.objects.create_user(name)
            outcomes.append("made")
        except (ValidationError, IntegrityError):
            outcomes.append("refused")
        finally:
            connection.close()

    threads = [threading.Thread(target=create, args=[name]) for name in ("ada", "Ada", "ADA", "aDA")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(outcomes) == ["made", "refused", "refused", "refused"]
    assert names() == {"ada"}
