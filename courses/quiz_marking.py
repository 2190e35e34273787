"""Mark a quiz: a pure function over questions and chosen options."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from courses.models import Option, Question


@dataclass(frozen=True, slots=True)
class Answered:
    """A question with the option chosen for it, if that option still exists."""

    question: Question
    chosen: Option | None

    @property
    def right(self) -> bool:
        return self.chosen is not None and self.chosen.correct

    @property
    def options(self) -> list[Option]:
        return list(self.question.options.all())


@dataclass(frozen=True, slots=True)
class Marked:
    answered: tuple[Answered, ...]

    @property
    def raw(self) -> int:
        return sum(one.right for one in self.answered)

    @property
    def maximum(self) -> int:
        return len(self.answered)

    @property
    def unanswered(self) -> list[int]:
        """Places, from 1, of the questions without an answer."""
        return [place for place, one in enumerate(self.answered, 1) if one.chosen is None]


def mark(questions: Iterable[Question], answers: Mapping[str, object]) -> Marked:
    """One point for each question whose chosen option is right.

    `answers` maps a question's id to an option's id, both as text. Ids of other questions' options count as no answer.
    """
    return Marked(tuple(Answered(question, _chosen(question, answers)) for question in questions))


def _chosen(question: Question, answers: Mapping[str, object]) -> Option | None:
    wanted = str(answers.get(str(question.pk), ""))
    return next((option for option in question.options.all() if str(option.pk) == wanted), None)
