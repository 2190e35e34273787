from __future__ import annotations

import csv
import io

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
