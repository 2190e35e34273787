from __future__ import annotations

from datetime import timedelta

from django.contrib.auth.models import User
from django.utils import timezone
from pytest_django.fixtures import DjangoAssertNumQueries

from courses import ladder
from courses.models import Course, Item, Lesson
from tests.conftest import TakeQuiz


def test_items_stand_under_the_heading_of_their_part_in_order(
    learner: User, lesson: Lesson, quiz_item: Item, exercise_item: Item
) -> None:
    exercise_item.part = "Positions"
    exercise_item.save()
    found = ladder.of_lesson(lesson, learner)
    assert [(part.title, [cell.item for cell in part.cells]) for part in found.parts] == [
        ("", [quiz_item]),
        ("Positions", [exercise_item]),
    ]


def test_what_an_item_builds_on_is_loaded(
    learner: User,
    lesson: Lesson,
    quiz_item: Item,
    exercise_item: Item,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    exercise_item.builds_on.add(quiz_item)
    with django_assert_num_queries(3):
        found = ladder.of_lesson(lesson, learner)
        assert [list(cell.item.builds_on.all()) for part in found.parts for cell in part.cells] == [[], [quiz_item]]


def test_done_is_what_was_all_right(
    learner: User, lesson: Lesson, quiz_item: Item, exercise_item: Item, take_quiz: TakeQuiz
) -> None:
    take_quiz(quiz_item, learner, right=False)
    assert (ladder.of_lesson(lesson, learner).done, ladder.of_lesson(lesson, learner).total) == (0, 2)
    take_quiz(quiz_item, learner)
    assert ladder.of_lesson(lesson, learner).done == 1


def test_the_first_unfinished_lesson_is_current(
    learner: User, course: Course, lesson: Lesson, quiz_item: Item, take_quiz: TakeQuiz
) -> None:
    later = Lesson.objects.create(module=lesson.module, number=21, slug="later", title="Later")
    Item.objects.create(course=course, lesson=later, kind=Item.Kind.QUIZ, quiz=quiz_item.quiz, title="Again")
    [(module, ladders)] = ladder.of_course(course, learner)
    assert module == lesson.module
    assert [one.current for one in ladders] == [True, False]
    take_quiz(quiz_item, learner)
    [(_, ladders)] = ladder.of_course(course, learner)
    assert [one.current for one in ladders] == [False, True]


def test_what_is_not_open_yet_counts_in_no_total(
    learner: User, course: Course, lesson: Lesson, quiz_item: Item, exercise_item: Item, take_quiz: TakeQuiz
) -> None:
    take_quiz(quiz_item, learner)
    Item.objects.filter(pk=exercise_item.pk).update(opens_at=timezone.now() + timedelta(days=1))
    [(_, [found])] = ladder.of_course(course, learner)
    assert (found.done, found.total, found.current) == (1, 1, False)
    Item.objects.filter(pk=exercise_item.pk).update(opens_at=None)
    [(_, [found])] = ladder.of_course(course, learner)
    assert (found.done, found.total, found.current) == (1, 2, True)


def test_what_is_optional_counts_in_no_total_but_takes_time(
    learner: User, course: Course, lesson: Lesson, quiz_item: Item, exercise_item: Item, take_quiz: TakeQuiz
) -> None:
    take_quiz(quiz_item, learner)
    Item.objects.filter(pk=exercise_item.pk).update(weight=0)
    [(_, [found])] = ladder.of_course(course, learner)
    assert (found.done, found.total, found.current) == (1, 1, False)
    assert (found.exercises, found.minutes) == (1, 1)


def test_the_course_needs_four_queries(
    learner: User, course: Course, quiz_item: Item, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_num_queries(4):
        ladder.of_course(course, learner)
