from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from courses import markdown
from courses.content_loading import CONTENT, BadContent, load
from courses.models import Course, Item, Lesson, Option, Question
from exercises.package import by_slug, slugs
from exercises.services import load_package

FOLDER = CONTENT / "generative-ai"


@pytest.fixture(autouse=True)
def exercises(db: None) -> None:
    for slug in slugs():
        load_package(package=by_slug(slug))


def counts() -> list[int]:
    return [model.objects.count() for model in (Course, Lesson, Item, Question, Option)]


def test_session_20_is_whole() -> None:
    load(folder=FOLDER, overwrite=False)
    lesson = Lesson.objects.get(number=20)
    document = markdown.render(lesson.body)
    assert (lesson.module.number, lesson.minutes, lesson.level) == (6, 12, "intermediate")
    assert len(document.sections) == 9
    assert document.sections[0][1] == "In this session"
    assert document.problems == ()
    assert (document.diagrams, document.demonstrations) == (2, 2)
    items = list(lesson.items.in_order())
    assert [item.kind for item in items] == ["quiz", *["exercise"] * len(slugs())]
    assert {item.exercise.slug for item in items if item.exercise} == set(slugs())


def test_the_quiz_explains_every_option_and_each_question_has_one_right_answer() -> None:
    load(folder=FOLDER, overwrite=False)
    questions = Question.objects.all().with_options()
    assert len(questions) == 5
    for question in questions:
        options = list(question.options.all())
        assert sum(option.correct for option in options) == 1
        assert all(option.explanation for option in options)
        texts = [question.text, question.explanation, *(option.explanation for option in options)]
        assert not any(markdown.render(text).problems for text in texts)


def test_loading_again_keeps_what_was_edited() -> None:
    load(folder=FOLDER, overwrite=False)
    before = counts()
    Lesson.objects.update(title="Edited")
    Question.objects.filter(order=1).update(text="Edited?")
    load(folder=FOLDER, overwrite=False)
    assert counts() == before
    assert Lesson.objects.get().title == "Edited"
    assert Question.objects.get(order=1).text == "Edited?"


def test_overwriting_brings_the_files_back() -> None:
    load(folder=FOLDER, overwrite=False)
    before = counts()
    Lesson.objects.update(title="Edited")
    Option.objects.update(correct=True)
    load(folder=FOLDER, overwrite=True)
    assert counts() == before
    assert Lesson.objects.get().title != "Edited"
    assert Option.objects.filter(correct=True).count() == 5


def test_bad_content_loads_nothing(tmp_path: Path) -> None:
    folder = shutil.copytree(FOLDER, tmp_path / "copy")
    quiz = folder / "session-20-quiz.toml"
    quiz.write_text(quiz.read_text("utf-8").replace("correct = true", "correct = false"), "utf-8")
    with pytest.raises(BadContent, match="Question 1 .* no right option"):
        load(folder=folder, overwrite=False)
    assert counts() == [0] * 5


@pytest.mark.parametrize("name", ["course.toml", "session-20.md"])
def test_a_missing_file_is_named(tmp_path: Path, name: str) -> None:
    folder = shutil.copytree(FOLDER, tmp_path / "copy")
    (folder / name).unlink()
    with pytest.raises(BadContent, match=name):
        load(folder=folder, overwrite=False)


def test_an_exercise_must_be_loaded_first(tmp_path: Path) -> None:
    folder = Path(shutil.copytree(FOLDER, tmp_path / "generative-ai"))
    with_exercises(folder, '[[modules.lessons.exercises]]\nslug = "alchemy"\n')
    with pytest.raises(BadContent, match="no exercise “alchemy”.*load_exercises"):
        load(folder=folder, overwrite=False)
    assert not Course.objects.exists()


def test_an_unknown_course_is_refused() -> None:
    with pytest.raises(CommandError, match="generative-ai"):
        call_command("load_course", "alchemy")


def with_exercises(folder: Path, text: str) -> None:
    course = folder / "course.toml"
    head = course.read_text().partition("[[modules.lessons.exercises]]")[0]
    course.write_text(head + text)


def test_parts_and_what_an_item_builds_on(tmp_path: Path) -> None:
    folder = Path(shutil.copytree(FOLDER, tmp_path / "generative-ai"))
    later = '[[modules.lessons.exercises]]\nslug = "multi-head-attention"\n'
    earlier = '[[modules.lessons.exercises]]\nslug = "scaled-dot-product-attention"\npart = "Attention"\n'
    with_exercises(folder, later + earlier)  # whatever the order in the file
    load(folder=folder, overwrite=False)
    item = Item.objects.get(exercise__slug="multi-head-attention")
    assert [one.part for one in item.builds_on.all()] == ["Attention"]
    item.builds_on.clear()
    load(folder=folder, overwrite=False)
    assert not item.builds_on.exists()
