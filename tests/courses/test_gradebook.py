from __future__ import annotations

import csv
import io
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.utils import timezone
from pytest_django.fixtures import DjangoAssertNumQueries

from courses import gradebook, results
from courses.models import Course, Item
from tests.conftest import Crowd


def earn(item: Item, user: User, raw: float, origin: str) -> None:
    results.push(item=item, user=user, origin=origin, raw=raw, maximum=4, submitted_at=timezone.now())


def test_every_learner_has_a_row_and_every_item_a_column(
    course: Course, quiz_item: Item, exercise_item: Item, learner: User, classmate: User, instructor: User
) -> None:
    earn(quiz_item, learner, 2, "quiz:1")
    earn(quiz_item, learner, 1, "quiz:2")
    book = gradebook.of_course(course)
    assert book.items == (quiz_item, exercise_item)
    assert [row.person for row in book.rows] == [classmate, learner]
    marked = book.rows[1]
    assert [cell.mark and cell.mark.percent for cell in marked.cells] == [50, None]
    assert marked.cells[0].tries == 2
    assert marked.total_percent == 25


def test_what_is_not_open_yet_counts_in_no_total(
    course: Course, quiz_item: Item, exercise_item: Item, learner: User
) -> None:
    earn(quiz_item, learner, 2, "quiz:1")
    for rules in ({"opens_at": timezone.now() + timedelta(days=1)}, {"opens_at": timezone.now() - timedelta(days=1)}):
        Item.objects.filter(pk=exercise_item.pk).update(**rules)
        book = gradebook.of_course(course)
        opened = rules["opens_at"] < timezone.now()
        assert book.columns == [(quiz_item, True), (exercise_item, opened)]
        assert [cell.is_open for cell in book.rows[0].cells] == [True, opened]
        assert book.rows[0].total_percent == (25 if opened else 50)
        assert gradebook.of_person(course, learner).total_percent == book.rows[0].total_percent
        assert list(csv.reader(io.StringIO(gradebook.to_csv(book))))[1][3:] == [
            "50.0",
            "",
            "25.0" if opened else "50.0",
        ]


def test_an_exercise_that_is_not_published_counts_in_no_total(
    course: Course, quiz_item: Item, exercise_item: Item, learner: User
) -> None:
    earn(quiz_item, learner, 4, "quiz:1")
    assert exercise_item.exercise is not None
    exercise_item.exercise.published = None
    exercise_item.exercise.save()
    assert gradebook.of_person(course, learner).total_percent == 100


def test_where_nothing_is_open_there_is_no_total(course: Course, quiz_item: Item, learner: User) -> None:
    Item.objects.update(opens_at=timezone.now() + timedelta(days=1))
    assert gradebook.of_person(course, learner).total is None


@pytest.mark.parametrize("size", [10, 500])
def test_the_number_of_queries_does_not_grow_with_people(
    course: Course, quiz_item: Item, exercise_item: Item, crowd: Crowd, size: int,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:  # fmt: skip
    crowd(course, size)
    with django_assert_num_queries(3):
        book = gradebook.of_course(course)
        gradebook.to_csv(book)
    assert len(book.rows) == size


def test_csv_says_percent_and_leaves_what_is_missing_empty(
    course: Course, quiz_item: Item, exercise_item: Item, learner: User
) -> None:
    earn(quiz_item, learner, 3, "quiz:1")
    lines = list(csv.reader(io.StringIO(gradebook.to_csv(gradebook.of_course(course)))))
    assert lines[0] == ["Name", "Username", "E-mail", "Quiz (%)", "Double (%)", "Total (%)"]
    assert lines[1] == ["Learner", "learner", "", "75.0", "", "37.5"]


@pytest.mark.parametrize("name", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1"])
def test_a_name_cannot_become_a_formula(course: Course, quiz_item: Item, learner: User, name: str) -> None:
    learner.first_name, learner.last_name, quiz_item.title = name, "x", name
    learner.save()
    quiz_item.save()
    lines = list(csv.reader(io.StringIO(gradebook.to_csv(gradebook.of_course(course)), newline="")))
    assert all(not cell.startswith(gradebook.FORMULA_STARTS) for line in lines for cell in line)
    assert any(name.strip() in cell for cell in lines[1])
