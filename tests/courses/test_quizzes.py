from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import User

from courses import quizzes
from courses.models import Item, Option, Question, QuizAttempt, Result
from courses.quiz_marking import mark
from tests.conftest import TakeQuiz


def answers_of(item: Item, *, right: bool = True) -> dict[str, str]:
    return {str(each.pk): str(each.options.get(correct=right).pk) for each in quizzes.questions_of(item)}


def test_each_right_answer_is_a_point(quiz_item: Item) -> None:
    questions = quizzes.questions_of(quiz_item)
    answers = answers_of(quiz_item)
    assert mark(questions, answers).raw == 2
    answers[str(questions[0].pk)] = str(questions[0].options.get(correct=False).pk)
    marked = mark(questions, answers)
    assert (marked.raw, marked.maximum, marked.unanswered) == (1, 2, [])


@pytest.mark.parametrize("answer", ["", "0", "nonsense", "-1", None, [], 10**30])
def test_what_is_no_option_of_the_question_is_no_answer(quiz_item: Item, answer: object) -> None:
    questions = quizzes.questions_of(quiz_item)
    assert mark(questions, {str(questions[0].pk): answer}).unanswered == [1, 2]


def test_the_right_option_of_another_question_earns_nothing(quiz_item: Item) -> None:
    first, second = quizzes.questions_of(quiz_item)
    marked = mark([first, second], {str(first.pk): second.options.get(correct=True).pk})
    assert marked.raw == 0


def test_an_attempt_is_recorded_with_its_result(quiz_item: Item, learner: User, take_quiz: TakeQuiz) -> None:
    attempt = take_quiz(quiz_item, learner)
    result = Result.objects.get()
    assert (result.origin, result.raw, result.maximum) == (f"quiz:{attempt.pk}", 2, 2)
    assert result.submitted_at == attempt.created_at


def test_a_double_click_is_one_attempt(quiz_item: Item, learner: User) -> None:
    key, answers = uuid4(), answers_of(quiz_item)
    backwards = dict(reversed(answers.items()))
    first, second = (quizzes.take(item=quiz_item, user=learner, answers=each, key=key) for each in (answers, backwards))
    assert first == second
    assert QuizAttempt.objects.count() == Result.objects.count() == 1


def test_the_second_click_is_acknowledged_even_when_the_first_used_the_last_attempt(
    quiz_item: Item, learner: User
) -> None:
    quiz_item.attempts = 1
    quiz_item.save()
    form: dict[str, Any] = {"item": quiz_item, "user": learner, "answers": answers_of(quiz_item), "key": uuid4()}
    assert quizzes.take(**form) == quizzes.take(**form)
    with pytest.raises(quizzes.Refused, match="only attempt"):
        quizzes.take(**form | {"answers": answers_of(quiz_item, right=False)})


def test_an_unanswered_question_costs_no_attempt(quiz_item: Item, learner: User) -> None:
    answers = answers_of(quiz_item)
    answers.popitem()
    with pytest.raises(quizzes.Refused, match="Question 2 has no answer"):
        quizzes.take(item=quiz_item, user=learner, answers=answers, key=uuid4())
    assert not QuizAttempt.objects.exists()


def test_attempts_end(quiz_item: Item, learner: User, take_quiz: TakeQuiz) -> None:
    quiz_item.attempts = 1
    quiz_item.save()
    take_quiz(quiz_item, learner, right=False)
    with pytest.raises(quizzes.Refused, match="only attempt"):
        take_quiz(quiz_item, learner)
    assert QuizAttempt.objects.count() == 1


def test_a_quiz_without_questions_cannot_be_handed_in(quiz_item: Item, learner: User) -> None:
    Question.objects.all().delete()
    with pytest.raises(quizzes.Refused, match="no questions"):
        quizzes.take(item=quiz_item, user=learner, answers={}, key=uuid4())


def test_deleting_a_chosen_option_does_not_change_marks_already_given(
    quiz_item: Item, learner: User, take_quiz: TakeQuiz
) -> None:
    attempt = take_quiz(quiz_item, learner)
    Option.objects.filter(correct=True).first().delete()  # type: ignore[union-attr]
    attempt.refresh_from_db()
    assert attempt.raw == 2
    assert quizzes.marked(attempt).raw == 1
