"""Taking a quiz: decide, mark, record and push the result, as one step."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING
from uuid import UUID, uuid5

from django.db import transaction
from django.utils import timezone

from courses import policy, results
from courses.models import Enrolment, Item, Question, QuizAttempt
from courses.quiz_marking import Marked, mark

if TYPE_CHECKING:
    from django.contrib.auth.models import User


class Refused(Exception):
    """Nothing was recorded and no attempt used; the text tells the learner why."""


def questions_of(item: Item) -> list[Question]:
    return list(Question.objects.filter(quiz=item.quiz_id).with_options())


def attempts_used(*, item: Item, user: User) -> int:
    return QuizAttempt.objects.filter(item=item, user=user).count()


def marked(attempt: QuizAttempt) -> Marked:
    """The attempt against the quiz as it stands now; the marks on the attempt itself stay as they were."""
    return mark(questions_of(attempt.item), attempt.answers)


@transaction.atomic
def take(*, item: Item, user: User, answers: Mapping[str, str], key: UUID) -> QuizAttempt:
    """Record one attempt. The same form again, by its `key`, returns the first attempt: a double click is one.

    A form that comes back with other answers, or for another item, is a new attempt.

    Raises `Refused` when the rules forbid it or a question has no answer.
    """
    # Two tabs race for the last attempt: whoever locks the person's enrolment first wins.
    list(Enrolment.objects.select_for_update().filter(user=user, course=item.course_id))
    click = uuid5(key, f"{item.pk} {sorted(answers.items())}")
    existing = QuizAttempt.objects.filter(user=user, key=click).first()
    if existing:
        return existing
    now = timezone.now()
    decision = policy.may_submit(user=user, item=item, attempts_used=attempts_used(item=item, user=user), at=now)
    if not decision.allowed:
        raise Refused(decision.sentence)
    outcome = mark(questions_of(item), answers)
    if not outcome.maximum:
        raise Refused("This quiz has no questions yet.")
    if outcome.unanswered:
        raise Refused(_unanswered(outcome.unanswered))
    attempt = QuizAttempt.objects.create(
        item=item,
        user=user,
        key=click,
        answers={str(one.question.pk): one.chosen.pk for one in outcome.answered if one.chosen},
        raw=outcome.raw,
        maximum=outcome.maximum,
        created_at=now,
    )
    results.push(
        item=item,
        user=user,
        origin=f"quiz:{attempt.pk}",
        raw=outcome.raw,
        maximum=outcome.maximum,
        submitted_at=now,
    )
    return attempt


def _unanswered(places: list[int]) -> str:
    named = ", ".join(map(str, places))
    noun = "Question" if len(places) == 1 else "Questions"
    verb = "has" if len(places) == 1 else "have"
    return f"{noun} {named} {verb} no answer yet. Nothing was handed in and no attempt was used."
