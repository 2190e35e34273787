"""The items of a lesson as the rungs that a person climbs: in order, under the headings of their parts."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import groupby
from typing import TYPE_CHECKING

from django.db.models import Prefetch, prefetch_related_objects
from django.utils import timezone

from courses.gradebook import Cell, Row, of_person
from courses.models import Course, Lesson, Module
from exercises.models import Exercise

if TYPE_CHECKING:
    from django.contrib.auth.models import User


@dataclass(frozen=True, slots=True)
class Part:
    """Items that follow one another under one heading, which may be empty."""

    title: str
    cells: tuple[Cell, ...]

    @property
    def required(self) -> list[Cell]:
        """What is open and not optional: nothing else counts."""
        return [cell for cell in self.cells if cell.is_open and not cell.item.is_optional]

    @property
    def is_open(self) -> bool:
        return any(cell.is_open for cell in self.cells)

    @property
    def total(self) -> int:
        return len(self.required)

    @property
    def done(self) -> int:
        return sum(cell.done for cell in self.required)

    @property
    def exercises(self) -> list[Exercise]:
        return [cell.item.exercise for cell in self.cells if cell.item.exercise]

    @property
    def minutes(self) -> int:
        """What its exercises take, by their authors' estimates."""
        return sum(exercise.minutes or 0 for exercise in self.exercises)


@dataclass(frozen=True, slots=True)
class Ladder:
    """As things stand `at` a moment. `current`: the first lesson of its course that a person has not finished."""

    lesson: Lesson
    parts: tuple[Part, ...]
    current: bool = False
    at: datetime = field(default_factory=timezone.now)

    @property
    def total(self) -> int:
        return sum(part.total for part in self.parts)

    @property
    def done(self) -> int:
        return sum(part.done for part in self.parts)

    @property
    def exercises(self) -> int:
        return sum(len(part.exercises) for part in self.parts)

    @property
    def minutes(self) -> int:
        return sum(part.minutes for part in self.parts)


def of_lesson(lesson: Lesson, person: User) -> Ladder:
    """Needs the lesson's module and course. Three queries; what an item builds on is loaded too."""
    ladder = Ladder(lesson, _parts(of_person(lesson.module.course, person), lesson))
    prefetch_related_objects([cell.item for part in ladder.parts for cell in part.cells], "builds_on")
    return ladder


def of_course(course: Course, person: User) -> list[tuple[Module, list[Ladder]]]:
    """Every module with its lessons, in order. Four queries."""
    row, found, result = of_person(course, person), False, []
    in_order = Prefetch("lessons", Lesson.objects.defer("body").order_by("number"))
    for module in course.modules.prefetch_related(in_order).order_by("number"):
        ladders = []
        for lesson in module.lessons.all():
            ladder = Ladder(lesson, _parts(row, lesson))
            current = not found and ladder.done < ladder.total
            found = found or current
            ladders.append(replace(ladder, current=current))
        result.append((module, ladders))
    return result


def _parts(row: Row, lesson: Lesson) -> tuple[Part, ...]:
    cells = [cell for cell in row.cells if cell.item.lesson_id == lesson.pk]
    return tuple(Part(title, tuple(group)) for title, group in groupby(cells, lambda cell: cell.item.part))
