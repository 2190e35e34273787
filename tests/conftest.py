"""The cast, and a small course in which every kind of page has something to show.

learner and classmate learn in the course; assistant and instructor teach it; outsider teaches another course; admin
administers the site.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.utils import timezone

from courses import people, quizzes
from courses.models import Course, Enrolment, Item, Lesson, Module, Option, Question, Quiz, QuizAttempt, Result, Role
from exercises.services import load_package, publish, store_proof
from grader import grading, intake, queue
from grader.models import Kind, Submission
from grader.report import Outcome, Report, TestReport, Verdict
from tests.grader.small import SOURCE, a_report, make_package

SignIn = Callable[[User], Client]
HandIn = Callable[..., Submission]
TakeQuiz = Callable[..., QuizAttempt]
Crowd = Callable[[Course, int], None]

DATABASE = {"db", "transactional_db", "django_db_reset_sequences", "django_db_serialized_rollback", "live_server"}
HIDDEN_NUMBER = "271828"
SAMPLE = TestReport("test_sample", "Twice two.", True, 1, Outcome.PASSED, stdout="printed in the sample")
HIDDEN = TestReport("test_hidden", "Twice a secret.", False, 2, Outcome.PASSED, stdout="printed in the hidden test")
FAILED = replace(
    HIDDEN,
    outcome=Outcome.WRONG_ANSWER,
    message=f"Expected {HIDDEN_NUMBER}, got 3.",
    details={"kind": "value", "expected": HIDDEN_NUMBER, "headline": "The right form, but the wrong value."},
)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """On PostgreSQL run only what uses a database: all the rest runs on SQLite, and would find the same."""
    if connection.vendor != "postgresql":
        return
    uses = [item for item in items if item.get_closest_marker("django_db") or DATABASE & {*fixtures_of(item)}]
    config.hook.pytest_deselected(items=[item for item in items if item not in uses])
    items[:] = uses


def fixtures_of(item: pytest.Item) -> Sequence[str]:
    return item.fixturenames if isinstance(item, pytest.Function) else ()


@pytest.fixture
def course(db: None) -> Course:
    return Course.objects.create(slug="transformers", title="Transformers", enrolment_code="JOIN-US")


@pytest.fixture
def learner(course: Course) -> User:
    return _person("learner", course, Role.LEARNER)


@pytest.fixture
def classmate(course: Course) -> User:
    return _person("classmate", course, Role.LEARNER)


@pytest.fixture
def assistant(course: Course) -> User:
    return _person("assistant", course, Role.ASSISTANT)


@pytest.fixture
def instructor(course: Course) -> User:
    return _person("instructor", course, Role.INSTRUCTOR)


@pytest.fixture
def outsider(db: None) -> User:
    other = Course.objects.create(slug="poetry", title="Poetry")
    return _person("outsider", other, Role.INSTRUCTOR)


@pytest.fixture
def admin(db: None) -> User:
    return User.objects.create_superuser("admin")


@pytest.fixture
def lesson(course: Course) -> Lesson:
    module = Module.objects.create(course=course, number=6, title="The transformer")
    return Lesson.objects.create(module=module, number=20, slug="order", title="Order", body="## Start\n\n$a+b$\n")


@pytest.fixture
def quiz_item(lesson: Lesson) -> Item:
    """Two questions with two options each; of every question the first option is right."""
    quiz = Quiz.objects.create(lesson=lesson, title="Quiz")
    for order, text in enumerate(("One?", "Two?"), 1):
        question = Question.objects.create(quiz=quiz, order=order, text=text)
        Option.objects.create(question=question, order=1, text="Yes", correct=True, explanation="Because yes.")
        Option.objects.create(question=question, order=2, text="No", explanation="Because not no.")
    return Item.objects.create(
        course=lesson.module.course, lesson=lesson, kind=Item.Kind.QUIZ, quiz=quiz, title="Quiz", order=1
    )


@pytest.fixture
def exercise_item(lesson: Lesson) -> Item:
    revision = load_package(package=make_package())
    store_proof(digest=revision.digest, extent="full", ok=True, report={})
    publish(revision=revision)
    exercise = revision.exercise
    exercise.refresh_from_db()
    return Item.objects.create(
        course=lesson.module.course, lesson=lesson, kind=Item.Kind.EXERCISE, exercise=exercise, title="Double", order=2
    )


@pytest.fixture
def sign_in() -> SignIn:
    def signed_in(person: User) -> Client:
        client = Client()
        client.force_login(person)
        return client

    return signed_in


@pytest.fixture
def take_quiz() -> TakeQuiz:
    """A quiz attempt with every answer right, or every answer wrong."""

    def take(item: Item, user: User, *, right: bool = True) -> QuizAttempt:
        answers = {
            str(question.pk): str(question.options.filter(correct=right)[0].pk)
            for question in quizzes.questions_of(item)
        }
        return quizzes.take(item=item, user=user, answers=answers, key=uuid4())

    return take


@pytest.fixture
def hand_in() -> HandIn:
    """A submission, judged as told: "right", "wrong", or left in the queue if `judged` is empty."""

    def hand(item: Item, user: User, *, judged: str = "right", kind: Kind = Kind.SUBMISSION) -> Submission:
        submission = intake.submit(user=user, item=item, source=SOURCE, kind=kind, key=uuid4())
        if judged:
            claimed = queue.claim()
            assert claimed == submission
            grading.record(submission=claimed, report=judgement(judged))
            submission.refresh_from_db()
        return submission

    return hand


@pytest.fixture
def crowd() -> Crowd:
    """Enrol so many learners in a course, each with one result for each of its items."""

    def enrol(course: Course, size: int) -> None:
        users = User.objects.bulk_create(User(username=f"person-{number}") for number in range(size))
        Enrolment.objects.bulk_create(Enrolment(user=user, course=course, role=Role.LEARNER) for user in users)
        Result.objects.bulk_create(
            Result(
                item=item,
                user=user,
                origin=f"{'quiz' if item.kind == Item.Kind.QUIZ else 'submission'}:{1000 * item.pk + number}",
                raw=1,
                maximum=2,
                submitted_at=timezone.now(),
            )
            for item in course.items.all()
            for number, user in enumerate(users)
        )

    return enrol


def judgement(how: str) -> Report:
    if how == "right":
        return replace(a_report(), message="Every test passed.", tests=(SAMPLE, HIDDEN))
    return replace(
        a_report(Verdict.WRONG_ANSWER, score=1), message="Not what “Twice a secret.” expects.", tests=(SAMPLE, FAILED)
    )


def _person(username: str, course: Course, role: Role) -> User:
    user = User.objects.create_user(username, first_name=username.title())
    people.enrol(user=user, course=course, role=role)
    return user
