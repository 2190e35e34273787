"""Put an authored course from files into the database.

A course is a folder with `course.toml`, which names Markdown files for lessons and TOML files for quizzes. Places are
found again by number, slug and order. What exists stays as it is, so that edits made in the admin survive, unless the
caller asks to overwrite it.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from django.db import models, transaction

from courses import moments
from courses.models import Course, Item, Lesson, Module, Option, Question, Quiz
from exercises.models import Exercise

CONTENT = Path(__file__).parent / "content"


class BadContent(ValueError):
    """A file that cannot be loaded; the text says which, and what to do."""


@dataclass(frozen=True, slots=True)
class Loader:
    folder: Path
    overwrite: bool
    written: list[Item] = field(default_factory=list)

    def put(self, manager: models.QuerySet[Any] | models.Manager[Any], values: dict[str, Any], **place: Any) -> Any:
        """The row at `place`: made with `values`, or given them if overwriting."""
        put = manager.update_or_create if self.overwrite else manager.get_or_create
        return put(**place, defaults=values)[0]

    def course(self) -> Course:
        data = _toml(self.folder / "course.toml")
        if (zone := data.get("time_zone", "")) and zone not in moments.zones():
            raise BadContent(f"course.toml: there is no time zone {zone!r}. Name one such as Europe/Berlin.")
        values = _pick(data, "title", "summary", "time_zone")
        course: Course = self.put(Course.objects, values, slug=data["slug"])
        for each in data.get("modules", []):
            module = self.put(course.modules, _pick(each, "title", "summary"), number=each["number"])
            for lesson in each.get("lessons", []):
                self.lesson(module, lesson)
        for item in self.written:
            item.builds_on.set(_before(item))
        return course

    def lesson(self, module: Module, data: dict[str, Any]) -> None:
        values = _pick(data, "number", "title", "summary", "minutes", "level")
        values["body"] = _text(self.folder / data["body"])
        lesson = self.put(module.lessons, values, slug=data["slug"])
        if "quiz" in data:
            self.quiz(lesson, _toml(self.folder / data["quiz"]))
        for order, exercise in enumerate(data.get("exercises", []), 2):
            self.exercise(lesson, exercise, order)

    def quiz(self, lesson: Lesson, data: dict[str, Any]) -> None:
        quiz, new = Quiz.objects.get_or_create(lesson=lesson, defaults={"title": data["title"]})
        place = {"course": lesson.module.course, "quiz": quiz}
        self.put(Item.objects, {"lesson": lesson, "kind": Item.Kind.QUIZ, "title": data["title"], "order": 1}, **place)
        if new or self.overwrite:
            self.questions(quiz, data["questions"])

    def questions(self, quiz: Quiz, data: list[dict[str, Any]]) -> None:
        for order, each in enumerate(data, 1):
            if not any(option.get("correct") for option in each["options"]):
                raise BadContent(f"Question {order} of “{quiz}” has no right option. Mark one with correct = true.")
            question = self.put(Question.objects, _pick(each, "text", "explanation"), quiz=quiz, order=order)
            for number, option in enumerate(each["options"], 1):
                values = {"correct": False} | _pick(option, "text", "correct", "explanation")
                self.put(Option.objects, values, question=question, order=number)

    def exercise(self, lesson: Lesson, data: dict[str, Any], order: int) -> None:
        exercise = Exercise.objects.filter(slug=data["slug"]).first()
        if exercise is None:
            raise BadContent(f"There is no exercise “{data['slug']}”. Run `manage.py load_exercises` first.")
        values = {"lesson": lesson, "kind": Item.Kind.EXERCISE, "title": exercise.title, "order": order}
        rules = _pick(data, "part", "weight", "attempts", "counts")
        place = {"course": lesson.module.course, "exercise": exercise}
        new = not Item.objects.filter(**place).exists()
        item = self.put(Item.objects, values | rules, **place)
        if new or self.overwrite:
            self.written.append(item)


@transaction.atomic
def load(*, folder: Path, overwrite: bool) -> Course:
    """All of the course or, when something raises `BadContent`, nothing of it."""
    try:
        return Loader(folder, overwrite).course()
    except KeyError as error:
        raise BadContent(f"{folder.name}: the key {error} is missing from a table that needs it.") from None


def _before(item: Item) -> models.QuerySet[Item]:
    """The items of the same course whose exercises the item's own exercise says it comes after."""
    assert item.exercise
    newest = item.exercise.revisions.newest_first()[0]
    return Item.objects.filter(course=item.course_id, exercise__slug__in=newest.package().spec.after)


def _pick(data: dict[str, Any], *names: str) -> dict[str, Any]:
    return {name: data[name] for name in names if name in data}


def _text(path: Path) -> str:
    if not path.is_file():
        raise BadContent(f"The file {path.name} is missing from {path.parent.name}.")
    return path.read_text("utf-8")


def _toml(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(_text(path))
    except tomllib.TOMLDecodeError as error:
        raise BadContent(f"{path.name} is not valid TOML: {error}") from None
